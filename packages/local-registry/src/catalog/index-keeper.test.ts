import { contentOf, type Digest, OCI_MANIFEST } from '@portcullis/oci';
import { expect, it } from 'vitest';
import { createIndexKeeper } from './index-keeper.ts';

/** Of `{}`. */
const DIGEST: Digest = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

function indexOf(known: { tag: string; digest: string }[] = []) {
  const recorded: { tag: string | null; found: boolean }[] = [];
  return {
    recorded,
    tagNames: async () => known,
    digests: async () => [],
    known: async () => new Set([DIGEST]),
    record: async ({ tag, found }: { tag: string | null; found: boolean }) =>
      void recorded.push({ tag, found }),
    removeTag: missing,
    removeManifest: missing,
  };
}

const missing = () => Promise.reject(new Error('not asked for'));

it('a tag that reconciliation finds is told from one that was pushed', async () => {
  const index = indexOf([{ tag: 'known', digest: DIGEST }]);
  const keeper = createIndexKeeper({
    index,
    open: () => ({
      resolve: async () => ({ mediaType: OCI_MANIFEST, digest: DIGEST, size: 2 }),
      fetch: async () => contentOf(Buffer.from('{}')),
      exists: missing,
      allTags: async () => ['known', 'other'],
      remove: missing,
    }),
    now: () => new Date(0),
  });
  await keeper.reconcile('team/app');
  await keeper.look('team/app', 'pushed');
  expect(index.recorded).toEqual([
    { tag: 'other', found: true },
    { tag: 'pushed', found: false },
  ]);
});

it.each([
  ['a tag announces its digest', '1', [DIGEST]],
  ['a digest announces nothing: an index may follow', null, []],
])('a push by %s', async (_, tag, expected) => {
  const announced: string[] = [];
  const keeper = createIndexKeeper({
    index: { ...indexOf(), tagNames: missing, digests: missing, known: async () => new Set() },
    open: () => ({
      resolve: async () => ({ mediaType: OCI_MANIFEST, digest: DIGEST, size: 2 }),
      fetch: missing,
      exists: missing,
      allTags: missing,
      remove: missing,
    }),
    now: () => new Date(0),
    tagged: async ({ digest }) => void announced.push(digest),
  });
  const bytes = Buffer.from('{}');
  await keeper.stored({
    repository: 'team/app',
    tag,
    digest: DIGEST,
    mediaType: OCI_MANIFEST,
    bytes,
  });
  expect(announced).toEqual(expected);
});
