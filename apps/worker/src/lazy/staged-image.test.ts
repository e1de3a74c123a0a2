import type { StagingJob } from '@portcullis/domain';
import { REDUCED_FROM } from '@portcullis/local-registry';
import { contentOf, copy, readWhole, type Source } from '@portcullis/oci';
import { createMemoryStore } from '@portcullis/oci/memory';
import { buildImage, buildIndex, type TestImage } from '@portcullis/testing';
import { beforeEach, expect, it } from 'vitest';
import { atSource, JOB_ID } from '../source.fixture.ts';
import { createManifestHandover } from './manifest-handover.ts';
import { omitting } from './skippable-layers.ts';
import { stagedImages } from './staged-image.ts';

let image: TestImage;
beforeEach(async () => {
  image = await buildImage({ layers: [{ one: '1' }, { two: '2' }] });
});

/** A job with manifests only, and the requests to its source from then on. */
async function staged({ passed = false } = {}) {
  const handOver = createManifestHandover();
  const { disk, source } = await atSource(image, passed ? handOver.give(JOB_ID) : undefined);
  const fetched: string[] = [];
  const counted: Source & { at: Source } = {
    at: source,
    resolve: source.resolve,
    fetch(descriptor, options) {
      fetched.push(descriptor.digest);
      return this.at.fetch(descriptor, options);
    },
  };
  const job = {
    id: JOB_ID,
    digest: image.digest,
    platforms: 'all',
    withReferrers: false,
  } as StagingJob;
  const images = stagedImages({
    disk,
    source: async () => counted,
    handOver,
    maxManifestBytes: 4 * 1024 * 1024,
  });
  return { ...images, disk, counted, job, fetched, layout: () => disk.layout(JOB_ID) };
}

it('a push reads only the layers that the scan skipped from the source', async () => {
  const { image: stagedImage, place, disk, counted, job, fetched } = await staged();
  const [config, skipped, brought] = image.blobs.map(({ descriptor }) => descriptor);
  if (!config || !skipped || !brought) throw new Error('an image has blobs');
  const sparse = await disk.sparse(JOB_ID);
  await copy(counted, image.digest, omitting(new Set([skipped.digest]), sparse));
  expect(await place(job)).toEqual({ dir: sparse.dir, isWhole: false, absent: [] });
  fetched.length = 0;
  await copy(await stagedImage(job), image.digest, createMemoryStore());
  expect(fetched).toEqual([skipped.digest]);
});

it('blobs that a pull left at the source are downloaded once a scan needs them, each once', async () => {
  const { complete, place, job, fetched, layout } = await staged();
  expect(await place(job)).toBeNull();
  await complete(job, {});
  await complete(job, {});
  expect(fetched.sort()).toEqual(image.blobs.map(({ descriptor }) => descriptor.digest).sort());
  expect(await place(job)).toEqual({ dir: (await layout()).dir, isWhole: true, absent: [] });
});

it('the rest of an image of selected platforms is fetched also where its manifests were deleted', async () => {
  const all = ['linux/amd64', 'linux/arm64', 'linux/s390x'];
  image = await buildIndex(
    await Promise.all(all.map((platform) => buildImage({ layers: [{ platform }], platform }))),
  );
  const platforms = all.slice(0, 2);
  const { complete, place, counted, job, layout } = await staged({ passed: true });
  const first = createMemoryStore();
  const { root } = await copy(counted, image.digest, first, {
    platforms,
    reducedFrom: REDUCED_FROM,
  });
  const reduced = { ...job, platforms, digest: root.digest, sourceDigest: image.digest };
  expect(await complete(reduced, {})).toMatchObject({ root: { digest: root.digest } });
  expect(await place(reduced)).toEqual({ dir: (await layout()).dir, isWhole: true, absent: [] });
});

it('an index that is kept is staged for its platforms alone, also where its source has all of them', async () => {
  const all = ['linux/amd64', 'linux/arm64'];
  image = await buildIndex(
    await Promise.all(all.map((platform) => buildImage({ layers: [{ platform }], platform }))),
  );
  const left = image.children[1]?.digest;
  const { complete, place, image: stagedImage, job, layout } = await staged({ passed: true });
  const kept = { ...job, platforms: ['linux/amd64'], keepIndex: true };
  expect(await complete(kept, {})).toMatchObject({
    root: { digest: image.digest },
    absent: [left],
  });
  expect(await place(kept)).toEqual({ dir: (await layout()).dir, isWhole: true, absent: [left] });
  const whole = copy(await stagedImage(kept), image.digest, createMemoryStore());
  await expect(whole).rejects.toMatchObject({ code: 'PLATFORM_ABSENT' });
});

it('a push that follows at once gets its manifests from the pull, a later one from the source, by digest', async () => {
  const { image: stagedImage, job, fetched } = await staged({ passed: true });
  for (const [nth, wanted] of [[], [image.digest]].entries()) {
    fetched.length = 0;
    await copy(await stagedImage(job), image.digest, createMemoryStore(), { manifestsOnly: true });
    expect([nth, fetched]).toEqual([nth, wanted]);
  }
});

it('the first read of a blob is streamed, a second one goes through the cache', async () => {
  const { image: stagedImage, job, disk } = await staged({ passed: true });
  const [blob] = image.blobs.map(({ descriptor }) => descriptor);
  if (!blob) throw new Error('an image has blobs');
  const seen: boolean[] = [];
  for (let push = 0; push < 2; push += 1) {
    await readWhole(await (await stagedImage(job)).fetch(blob), blob);
    seen.push(await disk.cache.has(blob));
  }
  expect(seen).toEqual([false, true]);
});

it('bytes that do not match the digest are refused', async () => {
  const { image: stagedImage, job, counted } = await staged({ passed: true });
  const [blob] = image.blobs.map(({ descriptor }) => descriptor);
  if (!blob) throw new Error('an image has blobs');
  counted.fetch = async () => contentOf(Buffer.alloc(blob.size));
  const through = async () => {
    for await (const chunk of await (await stagedImage(job)).fetch(blob))
      expect(chunk.byteLength).toBe(blob.size);
  };
  await expect(through()).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
});
