import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireRegistry } from '@portcullis/embedded';
import {
  buildImage,
  buildIndex,
  fetchManifest,
  pushImage,
  scratchImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
  temporaryDir,
  testCacheDir,
  testEnv,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoriesDir } from '../storage/storage.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { Collected } from './collection.ts';

let registry: TestRegistry;
let image: TestImage;

beforeAll(async () => {
  registry = await startRegistry();
  image = await scratchImage();
  await pushImage(registry.url, 'team/app', '1', image);
});
afterAll(() => registry?.stop());

const LAYER = Buffer.from('a layer that its manifest names by sha512');
const digestOf = (algorithm: string, bytes: Uint8Array) =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
const send = (method: string, path: string, init: RequestInit = {}) =>
  fetch(new URL(path, registry.url), { method, ...init });

async function upload(
  bytes: Buffer<ArrayBuffer>,
  digest: string,
  repository = 'team/app',
): Promise<void> {
  const started = await send('POST', `/v2/${repository}/blobs/uploads/`);
  const put = await send('PUT', `${started.headers.get('location')}&digest=${digest}`, {
    body: bytes,
  });
  expect(put.status).toBe(201);
}

async function collect(kept: readonly string[] = []): Promise<Collected> {
  await using dir = await temporaryDir();
  const program = await acquireRegistry({ cacheDir: testCacheDir, env: testEnv });
  const { signal } = new AbortController();
  const options = {
    kept: new Set(kept),
    workDir: dir.path,
    dryRun: false,
    signal,
    line: () => {},
  };
  return await collectGarbage({ ...options, storageDir: registry.storageDir, program });
}

it('G16: a layer that a manifest names by sha512 is not garbage, until its manifest is deleted', async () => {
  const digest = digestOf('sha512', LAYER);
  await upload(LAYER, digest);
  await upload(Buffer.from('garbage'), digestOf('sha256', Buffer.from('garbage')));
  const manifest = JSON.parse(Buffer.from(image.bytes).toString());
  const layers = [
    { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest, size: LAYER.length },
  ];
  const headers = { 'content-type': image.descriptor.mediaType };
  const body = JSON.stringify({ ...manifest, layers });
  expect((await send('PUT', '/v2/team/app/manifests/2', { headers, body })).status).toBe(201);
  expect(await collect()).toEqual({ blobs: 1, bytes: 'garbage'.length });
  const served = await send('GET', `/v2/team/app/blobs/${digest}`);
  expect(await served.text()).toBe(LAYER.toString());
  expect((await send('DELETE', `/v2/team/app/blobs/${digest}`)).status).toBe(202);
  expect(await collect()).toEqual({ blobs: 1, bytes: LAYER.length });
});

it('a layer that is kept for a push that goes on stays in its repository, whatever its name', async () => {
  const bytes = Buffer.from('the layer of a push that goes on');
  const digest = digestOf('sha256', bytes);
  const repositories = ['00/app', 'a/app', 'z/app'];
  for (const repository of repositories) {
    await pushImage(registry.url, repository, '1', image);
    await upload(bytes, digest, repository);
  }
  await collect([digest]);
  for (const repository of repositories) {
    const layers = join(repositoriesDir(registry.storageDir), repository, '_layers/sha256');
    const link = join(layers, digest.slice('sha256:'.length), 'link');
    expect(await readFile(link, 'utf8'), repository).toBe(digest);
  }
});

it('an index whose platforms are not all here stays, with those that are', async () => {
  const [here, absent] = await Promise.all(
    ['linux/amd64', 'linux/arm64'].map((platform) =>
      buildImage({ layers: [{ platform }], platform }),
    ),
  );
  if (!here || !absent) throw new Error('two images were built');
  const index = buildIndex([here, absent]);
  await pushImage(registry.url, 'mirror/app', '1', { ...index, children: [here] });
  await collect();
  for (const { digest } of [index, here])
    expect((await fetchManifest(registry.url, 'mirror/app', digest)).status).toBe(200);
  for (const { descriptor } of here.blobs)
    expect((await send('HEAD', `/v2/mirror/app/blobs/${descriptor.digest}`)).status).toBe(200);
});
