import { notFound, unavailable } from '@portcullis/errors';
import { chunkDigestsOf, contentOf, type Digest, PART_BYTES, type Source } from '@portcullis/oci';
import { buildImage, randomFiles, type TestImage } from '@portcullis/testing';
import { beforeEach, expect, it } from 'vitest';
import { atSource, JOB_ID } from '../source.fixture.ts';
import { omitting, skippableLayers } from './skippable-layers.ts';

let image: TestImage;
beforeEach(async () => {
  image = await buildImage({
    layers: [randomFiles(3 * PART_BYTES, 'large.bin'), randomFiles(2 * PART_BYTES), { small: '1' }],
  });
});

interface Situation {
  remembered?: 'all' | 'none';
  /** What the source serves instead of its bytes. */
  shown?: 'zeros' | 'not found' | 'away';
  cached?: boolean;
  skipProof?: boolean;
}

async function skippedIn({
  remembered = 'all',
  shown,
  cached = false,
  skipProof = false,
}: Situation) {
  const { source, manifests } = await atSource(image);
  const bytesOf = (digest: Digest) =>
    image.blobs.find((each) => each.descriptor.digest === digest)?.bytes ?? Buffer.alloc(0);
  const fetch: Source['fetch'] = async (blob, options) => {
    if (shown === 'not found') throw notFound('BLOB_UNKNOWN', 'there is none');
    if (shown === 'away') throw unavailable('REGISTRY_UNREACHABLE', 'no registry answers');
    return shown ? contentOf(Buffer.alloc(blob.size), options) : source.fetch(blob, options);
  };
  const find = skippableLayers({
    chunkDigestsOfLayer: async (digest) =>
      remembered === 'all' ? chunkDigestsOf(contentOf(bytesOf(digest))) : null,
    isCached: async () => cached,
    concurrency: 2,
    maxManifestBytes: 4 * 1024 * 1024,
  });
  const signal = new AbortController().signal;
  return [...(await find({ manifests, source: { ...source, fetch }, skipProof, signal }))].sort();
}

it('a scan skips layers that its scanner remembers and the source proves to have, except small ones and the configuration', async () => {
  const [, ...layers] = image.blobs.map(({ descriptor }) => descriptor.digest);
  expect(await skippedIn({})).toEqual(layers.slice(0, 2).sort());
});

it.each<[string, Situation]>([
  ['its scanner has not analysed', { remembered: 'none' }],
  ['is in the cache', { cached: true }],
  ['the source has other bytes of', { shown: 'zeros' }],
  ['the source does not have', { shown: 'not found' }],
])('it does not skip a layer that %s', async (_, situation) => {
  expect(await skippedIn(situation)).toEqual([]);
});

it('where the report of the digest is known, no proof of possession is requested', async () => {
  const layers = image.blobs.slice(1).map(({ descriptor }) => descriptor.digest);
  expect(await skippedIn({ skipProof: true, shown: 'not found' })).toEqual(layers.sort());
  expect(await skippedIn({ skipProof: true, remembered: 'none' })).toEqual([]);
});

it('an unreachable source is not asked for each layer', async () => {
  await expect(skippedIn({ shown: 'away' })).rejects.toMatchObject({
    code: 'REGISTRY_UNREACHABLE',
    side: 'source',
  });
});

it('a manifest that poses as a skippable layer does not remove parts of an image', async () => {
  const { disk } = await atSource(image);
  const layout = await disk.layout(JOB_ID);
  expect(await omitting(new Set([image.digest]), layout).exists(image.descriptor)).toBe(false);
});
