/**
 * Pushes of a worker that has the registry's storage: blobs are linked, not uploaded, and only
 * those that the job has pulled.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { TestImage, TestRegistry } from '@portcullis/testing';
import { fetchManifest, pushImage, randomImage, startRegistry } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
let source: TestRegistry;

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  // The registry creates its directories with its first push.
  await pushImage(harness.registry.url, 'gate/first', '1', await randomImage());
  await harness.startWorker({ REGISTRY_STORAGE: harness.registry.storageDir });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

async function pushed(image: TestImage, repository: string) {
  await pushImage(source.url, 'team/app', repository.split('/')[1] ?? '', image);
  const tag = repository.split('/')[1] ?? '';
  const job = await harness.submit({ image: 'team/app', tag, host: source.host });
  expect(await harness.settled(job.id)).toMatchObject({ status: 'staged', error: null });
  await harness.push(job.id, { repository, tag });
  const done = await harness.settled(job.id);
  expect(done).toMatchObject({ status: 'pushed', error: null });
  return done;
}

const inode = async (dir: string, ...rest: string[]) => (await stat(path.join(dir, ...rest))).ino;

it('each blob of a pushed image is one file with the cache, and the registry serves the image', async () => {
  const image = await randomImage({ layers: 3, bytes: 200_000, compression: 'gzip' });
  await pushed(image, 'gate/linked');
  const served = await fetchManifest(harness.registry.url, 'gate/linked', 'linked');
  expect(served.body).toEqual(Buffer.from(image.bytes));
  for (const { descriptor } of image.blobs) {
    const hex = descriptor.digest.slice(7);
    const theirs = `docker/registry/v2/blobs/sha256/${hex.slice(0, 2)}/${hex}/data`;
    expect(await inode(harness.registry.storageDir, theirs)).toBe(
      await inode(harness.dataDir, 'cache/blobs/sha256', hex),
    );
    const at = new URL(`/v2/gate/linked/blobs/${descriptor.digest}`, harness.registry.url);
    expect((await fetch(at)).headers.get('content-length')).toBe(String(descriptor.size));
  }
});

it('no upload is left open in the registry', async () => {
  const image = await randomImage({ layers: 2, bytes: 100_000, compression: 'gzip' });
  await pushed(image, 'gate/uploads');
  const uploads = 'docker/registry/v2/repositories/gate/uploads/_uploads';
  await expect(stat(path.join(harness.registry.storageDir, uploads))).rejects.toThrow('ENOENT');
});
