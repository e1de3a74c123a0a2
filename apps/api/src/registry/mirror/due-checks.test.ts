import type { Mirror, UpstreamAnswer } from '@portcullis/domain/mirror';
import type { DueMirrorTag, KnownReference } from '@portcullis/store';
import { expect, it } from 'vitest';
import { createDueChecks } from './due-checks.ts';

const MIRROR: Mirror = {
  ...{ folderId: 'f', folder: 'up', host: 'up.example.com', registryId: 'r', prefix: '' },
  registryName: 'up',
  ...{ allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 },
};
const HERE = 'sha256:here';

function checks(tags: string[], answer: UpstreamAnswer | null = { digest: 'sha256:new' }) {
  const asked: string[] = [];
  const postponed: string[] = [];
  const begun: string[] = [];
  const due: DueMirrorTag[] = tags.map((reference) => {
    return { folder: 'up', repository: 'up/app', reference };
  });
  const known = (reference: string): KnownReference => ({
    here: reference === 'gone' ? null : HERE,
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
  const { run } = createDueChecks({
    mirrors: async () => new Map([['up', MIRROR]]),
    store: {
      find: async ({ reference }) => known(reference),
      due: async () => due,
      held: async () => [],
      claimCheck: async ({ reference }) => postponed.push(reference) > 0,
    },
    upstream: {
      async ask(_, { reference }) {
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
  return { asked, postponed, begun, run: () => run(new AbortController().signal) };
}

it('brings in what a tag leads to by now', async () => {
  const { run, begun } = checks(['1', '2']);
  await run();
  expect(begun).toEqual(['sha256:new', 'sha256:new']);
});

it('brings in nothing where the tag is the same, or another process asks', async () => {
  for (const answer of [{ digest: HERE }, null]) {
    const { run, begun } = checks(['1'], answer);
    await run();
    expect(begun).toEqual([]);
  }
});

it('asks no upstream about immutable tags and those that are gone here', async () => {
  const { run, asked, postponed } = checks(['v1', 'gone', '1']);
  await run();
  expect([asked, postponed]).toEqual([['1'], ['v1', 'gone']]);
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
