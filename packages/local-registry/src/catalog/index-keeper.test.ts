import { contentOf, type Digest, OCI_MANIFEST } from '@portcullis/oci';
import { expect, it } from 'vitest';
import { createIndexKeeper } from './index-keeper.ts';

/** Of `{}`. */
const DIGEST: Digest = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

interface RecordedImage {
  tag: string | null;
  found: boolean;
  at?: Date | undefined;
}

function indexOf(known: { tag: string; digest: string }[] = []) {
  const recorded: RecordedImage[] = [];
  return {
    recorded,
    tagNames: async () => known,
    digests: async () => [],
    known: async () => new Set([DIGEST]),
    record: async ({ tag, found, at }: RecordedImage) => void recorded.push({ tag, found, at }),
    removeTag: missing,
    removeManifest: missing,
  };
}

const missing = () => Promise.reject(new Error('not asked for'));

it('records whether a tag was pushed or found by reconciliation', async () => {
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
  });
  await keeper.reconcile('team/app');
  await keeper.look('team/app', 'pushed');
  // Their times are the database's.
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
