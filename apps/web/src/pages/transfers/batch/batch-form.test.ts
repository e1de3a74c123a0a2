import { describe, expect, it } from 'vitest';
import {
  batchBody,
  batchOf,
  emptyBatch,
  isComplete,
  newEntry,
  readLines,
  restoredBatch,
} from './batch-form.ts';

const shown = (text: string) =>
  readLines(text).map(({ repository, match, text: which }) => [repository, match, which]);

describe('a pasted list', () => {
  it.each([
    ['team/app:1.2', [['team/app', 'tag', '1.2']]],
    ['team/app', [['team/app', 'tag', '']]],
    ['docker pull ghcr.io/acme/app:1', [['acme/app', 'tag', '1']]],
    [`app@sha256:${'a'.repeat(64)}`, [['app', 'tag', `sha256:${'a'.repeat(64)}`]]],
    ['team/app:1.*', [['team/app', 'glob', '1.*']]],
    ['team/app:{a,b}', [['team/app', 'glob', '{a,b}']]],
    ['team/app:^1.2', [['team/app', 'semver', '^1.2']]],
    ['team/app:>=1 <3', [['team/app', 'semver', '>=1 <3']]],
    [
      '# nightly\n\nteam/a:1 # first\r\n  team/b:2  ',
      [
        ['team/a', 'tag', '1'],
        ['team/b', 'tag', '2'],
      ],
    ],
    ['', []],
  ])('%j is read as %j', (text, entries) => {
    expect(shown(text)).toEqual(entries);
  });
});

describe('the request', () => {
  it('has the tags that each line selects', () => {
    const entries = [
      newEntry({ repository: ' team/app ', text: '1' }),
      newEntry({ repository: 'team/b', match: 'semver', text: '^2', newest: 3, prerelease: true }),
      newEntry({ repository: 'team/c', match: 'glob', text: 'v*', destName: 'other/c' }),
      newEntry(),
    ];
    expect(
      JSON.parse(JSON.stringify(batchBody(emptyBatch({ entries, from: 'r', folder: 'team' })))),
    ).toEqual({
      images: [
        { repository: 'team/app', tag: '1' },
        { repository: 'team/b', tags: { match: { semver: '^2', prerelease: true }, newest: 3 } },
        { repository: 'team/c', dest_name: 'other/c', tags: { match: { glob: 'v*' } } },
      ],
      source_registry_id: 'r',
      dest_registry_id: '__local__',
      dest_folder: 'team',
      platforms: 'all',
      include_referrers: true,
      bypass_gate: false,
    });
  });

  it.each([
    [{ passBlocked: true, bypassReason: ' urgent ' }, true, 'urgent'],
    [{ passBlocked: false, bypassReason: 'urgent' }, false, undefined],
  ])('with %o passes blocked images: %s, because: %s', (change, allowed, reason) => {
    const { bypass_gate, bypass_reason } = batchBody(emptyBatch(change));
    expect([bypass_gate, bypass_reason]).toEqual([allowed, reason]);
  });

  it('needs a reason to pass blocked images', () => {
    const form = { ...emptyBatch({ entries: [newEntry({ repository: 'a' })] }), folder: 'team' };
    expect(isComplete({ ...form, passBlocked: true })).toBe(false);
    expect(isComplete({ ...form, passBlocked: true, bypassReason: 'urgent' })).toBe(true);
  });

  it.each([
    ['policy', {}],
    ['none', { vuln_scan_enabled_override: false }],
    ['severities', { vuln_severities_override: ['CRITICAL', 'HIGH'] }],
  ] as const)('scan %s', (scan, sent) => {
    const body = batchBody(emptyBatch({ scan }));
    expect(body.vuln_scan_enabled_override).toBe(
      'vuln_scan_enabled_override' in sent ? false : undefined,
    );
    expect(body).toMatchObject(sent);
  });

  it.each([
    ['optional', true],
    ['required', 'required'],
    ['none', false],
  ] as const)('referrers that are %s are %s, also of a saved schedule', (referrers, sent) => {
    const body = batchBody(emptyBatch({ referrers }));
    expect(body.include_referrers).toBe(sent);
    expect(batchOf(body).referrers).toBe(referrers);
  });

  it('keeps each choice of referrers in a draft', () => {
    const stored: unknown = JSON.parse(JSON.stringify(emptyBatch({ referrers: 'required' })));
    expect(restoredBatch(stored, emptyBatch()).referrers).toBe('required');
  });

  it('a folder applies to the built-in registry only', () => {
    expect(batchBody(emptyBatch({ to: 'other', folder: 'team' })).dest_folder).toBeUndefined();
  });

  it('and parsed again is the same', () => {
    const entries = [
      newEntry({ repository: 'a', text: '1', destName: 'x' }),
      newEntry({ repository: 'b', match: 'regex', text: '^v', newest: 2 }),
      newEntry({ repository: 'c', match: 'semver', text: '1', prerelease: true }),
    ];
    const form = emptyBatch({
      entries,
      from: 'r',
      to: 's',
      destTag: 't',
      platforms: ['linux/amd64'],
      scan: 'none',
    });
    expect(batchBody(batchOf(batchBody(form)))).toEqual(batchBody(form));
  });
});

it.each([
  [[], false],
  [[newEntry()], false],
  [[newEntry({ repository: 'a' })], true],
  [[newEntry({ repository: 'a', match: 'glob' })], false],
  [[newEntry({ repository: 'a' }), newEntry()], true],
])('a batch of %j is complete: %s', (entries, complete) => {
  expect(isComplete(emptyBatch({ entries }))).toBe(complete);
});

it('is complete only with a folder where the destination is the built-in registry', () => {
  const entries = [newEntry({ repository: 'a' })];
  expect(isComplete(emptyBatch({ entries, folder: null }))).toBe(false);
  expect(isComplete(emptyBatch({ entries, folder: null, to: 'r' }))).toBe(true);
});
