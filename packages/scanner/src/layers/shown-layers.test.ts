/**
 * Sources that show the scan another archive than the one that is stored. An image whose
 * configuration names the archive that was only shown would be judged by that one, and Trivy would
 * keep its analysis of the stored one under the name of the other, for all images that have it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Descriptor, Follower, OpenContent } from '@portcullis/oci';
import { type BlobCache, openBlobCache } from '@portcullis/oci/layout';
import { randomFiles, sha256, tar, temporaryDir } from '@portcullis/testing';
import { afterAll, expect, it } from 'vitest';
import { readLayer } from './layer-facts.ts';
import { createLayerThreads, type LayerThreads } from './layer-threads.ts';
import { recentLayers } from './recent-layers.ts';

const threads = createLayerThreads();
afterAll(() => threads.close());
const signal = new AbortController().signal;

interface Scene {
  cache: BlobCache;
  /** Of the stored bytes. */
  descriptor: Descriptor;
  /** Another archive, packed into as many bytes. */
  shown: Buffer;
  stored: Buffer;
  onFile(path: string): Promise<Follower | null>;
  /** Yields the bytes, and ends once all that was shown was read. */
  until(bytes: Buffer): OpenContent;
  partial: string;
}

function contentOf(bytes: Buffer, ended: () => Promise<unknown>): OpenContent {
  return async ({ offset = 0 }) => ({
    offset,
    cancel() {},
    async *[Symbol.asyncIterator]() {
      yield bytes.subarray(offset);
      await ended();
    },
  });
}

const archiveOf = () => tar(randomFiles(2 * 1024 ** 2));

/** Without compression, so that archives of one size are packed into one size. */
const pack = (archive: Uint8Array) => gzipSync(archive, { level: 0 });

it.each<[string, (scene: Scene) => Promise<void>]>([
  [
    'a partial file of it, which is completed and then replaced',
    async ({ cache, descriptor, shown, stored, onFile, until, partial }) => {
      await mkdir(dirname(partial), { recursive: true });
      await writeFile(partial, shown.subarray(0, 1000));
      let opened = 0;
      const open: OpenContent = (options) => until(opened++ === 0 ? shown : stored)(options);
      await cache.store(descriptor, open, { onFile });
      expect(opened).toBe(2);
    },
  ],
  [
    'it first, and the right bytes when nothing follows',
    async ({ cache, descriptor, shown, stored, onFile, until }) => {
      await expect(cache.store(descriptor, until(shown), { onFile })).rejects.toThrow();
      await cache.store(descriptor, until(stored));
    },
  ],
])('are not believed: %s', async (_, show) => {
  await using dir = await temporaryDir();
  const [one, other] = [await archiveOf(), await archiveOf()];
  const [shown, stored] = [pack(one), pack(other)];
  const claimed = sha256(one);
  const digest = sha256(stored);
  const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip';
  const read = Promise.withResolvers<void>();
  const watched: LayerThreads = {
    ...threads,
    run: (...given) => threads.run(...given).finally(read.resolve),
  };
  const recent = recentLayers(watched, 1024 ** 3);
  const blobs = join(dir.path, 'blobs');
  const descriptor = { mediaType, digest, size: stored.length };
  await show({
    cache: openBlobCache(blobs),
    ...{ descriptor, shown, stored },
    onFile: (path) => recent.follow(descriptor, path),
    until: (bytes) => contentOf(bytes, () => read.promise),
    partial: join(blobs, 'partial', `${digest.replace(':', '-')}.0.x.y`),
  });
  const place = { layoutDir: dir.path, cacheDir: join(dir.path, 'memory'), threads, recent };
  const subject = { digest, diffId: claimed };
  const { diffId } = await readLayer(subject, place, { signal, maxUnpacked: 1024 ** 3 });
  expect(diffId).toBe(sha256(other));
});
