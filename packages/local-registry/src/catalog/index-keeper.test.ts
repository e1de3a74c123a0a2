import { type Digest, OCI_MANIFEST } from '@portcullis/oci';
import { expect, it } from 'vitest';
import { createIndexKeeper } from './index-keeper.ts';

const DIGEST: Digest = `sha256:${'a'.repeat(64)}`;

it.each([
  ['a tag announces its digest', '1', [DIGEST]],
  ['a digest announces nothing: an index may follow', null, []],
])('a push by %s', async (_, tag, expected) => {
  const announced: string[] = [];
  const missing = () => Promise.reject(new Error('not asked for'));
  const keeper = createIndexKeeper({
    index: {
      tagNames: missing,
      digests: missing,
      known: async () => new Set(),
      record: async () => {},
      removeTag: missing,
      removeManifest: missing,
    },
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
