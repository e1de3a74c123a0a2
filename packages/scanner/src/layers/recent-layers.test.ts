import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Descriptor, Follower } from '@portcullis/oci';
import { createSealer } from '@portcullis/oci/layout';
import { sha256, tar, temporaryDir } from '@portcullis/testing';
import { afterAll, expect, it } from 'vitest';
import { readCachedLayer } from './layer-cache.ts';
import { readLayer } from './layer-facts.ts';
import { createLayerThreads, FOLLOWING_THREADS, type LayerThreads } from './layer-threads.ts';
import { recentLayers } from './recent-layers.ts';

const threads = createLayerThreads();
afterAll(() => threads.close());
const signal = new AbortController().signal;
const LIMITS = { signal, maxUnpacked: 1024 ** 3 };

/** A layer that is large enough to be followed, and a file that it is written to. */
async function layerIn(dir: string, pack: (bytes: Uint8Array) => Uint8Array = gzipSync) {
  const archive = await tar({ 'bin/sh': 'x', data: randomBytes(2 * 1024 ** 2).toString('latin1') });
  const bytes = pack(archive);
  const descriptor: Descriptor = {
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    digest: sha256(bytes),
    size: bytes.length,
  };
  const path = join(dir, 'partial');
  return { bytes, descriptor, path, diffId: sha256(archive), digest: descriptor.digest };
}

/** Tells the one who follows that these bytes were written. */
function end(follower: Follower | null, bytes: Uint8Array): void {
  if (!follower) throw new Error('nothing follows');
  const sealer = createSealer(follower.key);
  sealer.update(bytes);
  follower.written(sealer.end());
}

it.each([
  ['plain', (bytes: Uint8Array) => bytes],
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
])('a %s layer is read while it is written', async (_, pack) => {
  await using dir = await temporaryDir();
  const { bytes, descriptor, path, diffId, digest } = await layerIn(dir.path, pack);
  const recent = recentLayers(threads, 1024 ** 3);
  const follower = await recent.follow(descriptor, path);
  const found = recent.find(digest, diffId, signal);
  for (let at = 0; at < bytes.length; at += 500_000)
    await appendFile(path, bytes.subarray(at, at + 500_000));
  end(follower, bytes);
  expect(await found).toMatchObject({ diffId, hasOs: true });
  recent.forget(digest);
  expect(await recent.find(digest, diffId, signal)).toBeNull();
});

it('a scan does not read again what was read, and reads its packed bytes', async () => {
  await using dir = await temporaryDir();
  const { bytes, descriptor, path, diffId, digest } = await layerIn(dir.path);
  const recent = recentLayers(threads, 1024 ** 3);
  const follower = await recent.follow(descriptor, path);
  await writeFile(path, bytes);
  end(follower, bytes);
  const place = { layoutDir: dir.path, cacheDir: join(dir.path, 'memory'), threads, recent };
  await mkdir(join(dir.path, 'blobs/sha256'), { recursive: true });
  const blob = join(dir.path, 'blobs', digest.replace(':', '/'));
  // An archive that can't be unpacked shows that nothing tries.
  await writeFile(blob, 'no gzip');
  const { keep, ...facts } = await readLayer({ digest, diffId }, place, LIMITS);
  expect(facts).toMatchObject({ diffId, hasOs: true, table: 'none' });
  await expect(keep('now')).rejects.toMatchObject({ code: 'SCAN_LAYER_INVALID' });
  expect(await readCachedLayer(place.cacheDir, digest)).toBeNull();
  await writeFile(blob, bytes);
  const again = await readLayer({ digest, diffId }, place, LIMITS);
  await again.keep('now');
  expect(await readCachedLayer(place.cacheDir, digest)).toMatchObject({ diffId });
  expect(await recent.find(digest, diffId, signal)).toBeNull();
});

it('counts for nothing where the file has other bytes', async () => {
  await using dir = await temporaryDir();
  const { bytes, descriptor, path, diffId, digest } = await layerIn(dir.path, (all) => all);
  const recent = recentLayers(threads, 1024 ** 3);
  const follower = await recent.follow(descriptor, path);
  await writeFile(path, bytes.with(-1, 1));
  end(follower, bytes);
  expect(await recent.find(digest, diffId, signal)).toBeNull();
});

it('counts for nothing where the download is lost', async () => {
  await using dir = await temporaryDir();
  const { bytes, descriptor, path, diffId, digest } = await layerIn(dir.path);
  const recent = recentLayers(threads, 1024 ** 3);
  const follower = await recent.follow(descriptor, path);
  await appendFile(path, bytes.subarray(0, 1000));
  const found = recent.find(digest, diffId, signal);
  follower?.lost();
  expect(await found).toBeNull();
});

it('counts for nothing before what was written is verified', async () => {
  await using dir = await temporaryDir();
  const { bytes, descriptor, path, diffId, digest } = await layerIn(dir.path);
  const read = Promise.withResolvers<void>();
  const watched: LayerThreads = {
    ...threads,
    run: (...given) => threads.run(...given).finally(read.resolve),
  };
  const recent = recentLayers(watched, 1024 ** 3);
  const follower = await recent.follow(descriptor, path);
  await writeFile(path, bytes);
  const found = recent.find(digest, diffId, signal);
  await read.promise;
  follower?.lost();
  expect(await found).toBeNull();
});

it('counts for nothing where the layer unpacks to too much', async () => {
  await using dir = await temporaryDir();
  const { bytes, descriptor, path, diffId, digest } = await layerIn(dir.path);
  const recent = recentLayers(threads, 1024 ** 2);
  const follower = await recent.follow(descriptor, path);
  await writeFile(path, bytes);
  end(follower, bytes);
  expect(await recent.find(digest, diffId, signal)).toBeNull();
});

it('a scan that is aborted does not wait for what is read', async () => {
  await using dir = await temporaryDir();
  const { descriptor, path, diffId, digest } = await layerIn(dir.path);
  const recent = recentLayers(threads, 1024 ** 3);
  const follower = await recent.follow(descriptor, path);
  const reason = new Error('stop');
  const stop = new AbortController();
  const found = recent.find(digest, diffId, stop.signal);
  stop.abort(reason);
  await expect(found).rejects.toBe(reason);
  follower?.lost();
});

it('layers that wait for their bytes leave threads for those that are here', async () => {
  await using dir = await temporaryDir();
  const recent = recentLayers(threads, 1024 ** 3);
  const followers: (Follower | null)[] = [];
  for (let at = 0; at < FOLLOWING_THREADS + 2; at += 1) {
    const { descriptor, path } = await layerIn(dir.path);
    followers.push(await recent.follow(descriptor, `${path}-${at}`));
  }
  const { bytes, digest, diffId } = await layerIn(dir.path);
  await mkdir(join(dir.path, 'blobs/sha256'), { recursive: true });
  await writeFile(join(dir.path, 'blobs', digest.replace(':', '/')), bytes);
  const place = { layoutDir: dir.path, cacheDir: join(dir.path, 'memory'), threads, recent };
  expect(await readLayer({ digest, diffId }, place, LIMITS)).toMatchObject({ diffId });
  await expect(readFile(join(dir.path, `partial-${FOLLOWING_THREADS}`))).rejects.toThrow();
  for (const follower of followers) follower?.lost();
});
