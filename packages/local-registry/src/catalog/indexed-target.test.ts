/** How often the index is updated after a push of one image. */
import { contentOf, type Digest, OCI_INDEX, OCI_MANIFEST } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import { expect, it } from 'vitest';
import { indexedTarget } from './indexed-target.ts';

const digestOf = (letter: string): Digest => `sha256:${letter.repeat(64)}`;
const [CHILD, ROOT, REFERRER] = [digestOf('a'), digestOf('b'), digestOf('c')];

async function looksAfter(recorded: Record<string, Digest[]>): Promise<string[]> {
  const registry = { push: async () => {} } as unknown as Repository;
  const looks: string[] = [];
  const { target, record } = indexedTarget('team/app', registry, {
    async look(_, reference) {
      looks.push(reference);
      return recorded[reference] ?? [];
    },
  });
  const open = async () => contentOf(new Uint8Array());
  await target.push({ mediaType: OCI_MANIFEST, digest: CHILD, size: 2 }, open);
  await target.push({ mediaType: OCI_INDEX, digest: ROOT, size: 2 }, open, { tag: '1' });
  await target.push({ mediaType: OCI_MANIFEST, digest: REFERRER, size: 2 }, open);
  await record();
  return looks;
}

it('a manifest that its tag has recorded is not recorded again', async () => {
  expect(await looksAfter({ 1: [CHILD, ROOT] })).toEqual(['1', REFERRER]);
});

it('a manifest that its tag has not recorded is recorded by itself', async () => {
  expect(await looksAfter({ 1: [ROOT] })).toEqual(['1', CHILD, REFERRER]);
});
