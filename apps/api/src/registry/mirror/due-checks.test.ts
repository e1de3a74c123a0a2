import type { Mirror, UpstreamAnswer } from '@portcullis/domain/mirror';
import type { KnownMirrorTag, KnownReference } from '@portcullis/store';
import { expect, it } from 'vitest';
import { createDueChecks } from './due-checks.ts';

const MIRROR: Mirror = {
  ...{ folderId: 'f', folder: 'up', host: 'up.example.com', registryId: 'r', prefix: '' },
  registryName: 'up',
  ...{ allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 },
};
const HERE = 'sha256:here';

function checks(tags: string[], answer: UpstreamAnswer = { digest: 'sha256:new' }) {
  const asked: string[] = [];
  const postponed: string[] = [];
  const begun: string[] = [];
  const kept: string[] = [];
  const confirmed: string[] = [];
  const known = (reference: string): KnownReference => ({
    here: HERE,
    job: null,
    tag: {
      ...{ repository: 'up/app', reference, upstreamDigest: HERE, goodDigest: HERE, fault: null },
      ...{
        goodSource: HERE,
        ripeDigest: null,
        jobId: null,
        requestedById: 'u',
        announced: null,
        isDue: true,
      },
    },
  });
  const due: KnownMirrorTag[] = tags.map((reference) => {
    return { folder: 'up', repository: 'up/app', reference, known: known(reference) };
  });
  const { run } = createDueChecks({
    mirrors: async () => new Map([['up', MIRROR]]),
    store: {
      claimDue: async () => due,
      held: async () => [],
      answered: async ({ reference }) => void kept.push(reference),
      confirmed: async (tags) => void confirmed.push(...tags.map(({ reference }) => reference)),
      postpone: async ({ reference }) => void postponed.push(reference),
    },
    upstream: {
      async look(_, { reference }) {
        asked.push(reference);
        if (reference === 'broken') throw new Error('broken');
        return answer;
      },
    },
    heldChanges: { note: async () => {} },
    bringIns: { beginLater: async ({ digest }) => begun.push(digest) > 0 },
    immutableTags: { patternOf: async () => (tag) => (tag.startsWith('v') ? 'v*' : null) },
    log: { warn() {} },
  });
  return { asked, postponed, begun, kept, confirmed, run: () => run(new AbortController().signal) };
}

it('keeps, and brings in, what a tag leads to by now', async () => {
  const { run, begun, kept, confirmed } = checks(['1', '2']);
  await run();
  expect([begun, kept, confirmed]).toEqual([['sha256:new', 'sha256:new'], ['1', '2'], []]);
});

it('keeps of all at once that nothing changed', async () => {
  const { run, begun, kept, confirmed } = checks(['1', '2'], { digest: HERE });
  await run();
  expect([begun, kept, confirmed]).toEqual([[], [], ['1', '2']]);
});

it('keeps a fault, and brings in nothing', async () => {
  const fault = { code: 'MANIFEST_UNKNOWN', message: 'no such tag', gone: true };
  const { run, begun, kept } = checks(['1'], { fault });
  await run();
  expect([begun, kept]).toEqual([[], ['1']]);
});

it('asks no upstream about immutable tags', async () => {
  const { run, asked, postponed } = checks(['v1', '1']);
  await run();
  expect([asked, postponed]).toEqual([['1'], ['v1']]);
});

it('goes on after a tag that fails', async () => {
  const { run, asked } = checks(['broken', '1']);
  await run();
  expect(asked).toEqual(['broken', '1']);
});

it('begins no round while one runs', async () => {
  const { run, asked } = checks(['1', '2']);
  await Promise.all([run(), run()]);
  expect(asked).toEqual(['1', '2']);
});
