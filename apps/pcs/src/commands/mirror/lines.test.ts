import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { attemptLines, mirrorLines, tagLines } from './lines.ts';

const tag = {
  ...{ repository: 'hub/library/nginx', tag: '1', state: 'current' as const, reduced: false },
  ...{
    digest: 'sha256:a',
    upstream_digest: 'sha256:a',
    error: null,
    waits_until: null,
    ripe_digest: null,
    next_at: null,
  },
  ...{ passed_at: null, checked_at: null, used_at: '2026-11-29T12:00:00Z', job_id: null },
};

it('a tag has one digest where it is as at the upstream', () => {
  expect(tagLines(tag).slice(1)).toEqual(['  here      sha256:a']);
});

it('a reduced one has both, and the reason', () => {
  const reduced = { ...tag, digest: 'sha256:b', reduced: true };
  expect(tagLines(reduced).slice(1)).toEqual([
    '  here      sha256:b',
    '  upstream  sha256:a',
    '  reduced   the registry takes no index without all of its platforms',
  ]);
});

it.each([
  [1, ['checked    every minute', 'kept       1 day after the last pull']],
  [2, ['checked    every 2 minutes', 'kept       2 days after the last pull']],
])('%d of a unit is in words', (number, expected) => {
  const none = { refused: 0, behind: 0, failed: 0, withdrawn: 0, unanswered: 0, coming: 0 };
  const lines = mirrorLines({
    ...{ folder: 'hub', host: 'docker.io', prefix: '', may_bring_in: true },
    ...{ registry_id: null, registry_name: null, allow: ['*'], platforms: [] },
    ...{ check_minutes: number, keep_days: number, passed_this_week: 0 },
    ...{ tags: { ...none, current: 0 }, attempts: [] },
  });
  expect(lines.map((line) => line.trim())).toEqual(expect.arrayContaining(expected));
});

it('a pull without an image has its account and since when the fault is the same', () => {
  const attempt = {
    ...{ repository: 'hub/app', reference: '1', account: 'dev', gone: false },
    ...{ error: { code: 'UPSTREAM_SILENT', message: 'no answer' }, since: '1', at: '2' },
  };
  const lines = attemptLines({ attempts: [attempt, { ...attempt, gone: true, since: '2' }] });
  expect(lines.map(stripVTControlCharacters)).toEqual([
    'hub/app:1: no answer',
    '  no answer (UPSTREAM_SILENT)',
    '  pulled by dev 2, the same since 1',
    'hub/app:1: not at the upstream',
    '  no answer (UPSTREAM_SILENT)',
    '  pulled by dev 2',
  ]);
});
