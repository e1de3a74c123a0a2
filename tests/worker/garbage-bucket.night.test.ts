/**
 * O16: a worker collects the garbage of a registry in a bucket, and reads from one that redirects
 * to its object store.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWriteLock } from '@portcullis/local-registry';
import type { MaintenanceRun } from '@portcullis/store';
import {
  buildImage,
  fetchManifest,
  pushImage,
  startS3,
  type TestS3,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let store: TestS3;
let harness: Harness;
let settings: Record<string, string>;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  store = parts.use(await startS3());
  harness = parts.use(
    await openHarness({ storage: { ...store.storage, root: 'a/prefix', redirect: true } }),
  );
  const dir = await temporaryDir();
  parts.defer(() => dir.remove());
  const { accessKeyId, secretAccessKey } = store.credentials;
  const file = path.join(dir.path, 'credentials');
  writeFileSync(
    file,
    `[default]\naws_access_key_id=${accessKeyId}\naws_secret_access_key=${secretAccessKey}\n`,
  );
  settings = {
    REGISTRY_S3_BUCKET: store.bucket,
    REGISTRY_S3_ENDPOINT: store.url,
    REGISTRY_S3_ROOT: '/a/prefix/',
    REGISTRY_S3_CREDENTIALS_FILE: file,
    REGISTRY_STORE_ORIGINS: store.url,
  };
  // The lock has recorded writes since before these.
  await createWriteLock(harness.redis).needs('team/any', [`sha256:${'0'.repeat(64)}`]);
});
afterAll(() => parts.disposeAsync());

const request = (options: Record<string, boolean> = {}) =>
  harness.store.maintenance.request({ kind: 'gc', options, requestedBy: 'root' });

async function ended(): Promise<MaintenanceRun | null> {
  const over = async () =>
    ['done', 'failed'].includes((await harness.store.maintenance.latest('gc'))?.state ?? '');
  await expect.poll(over, { interval: 100 }).toBe(true);
  return harness.store.maintenance.latest('gc');
}

it('deletes the blobs of deleted and of untagged images, as the dry run said, with the write lock held', async () => {
  const { url } = harness.registry;
  const worker = await harness.startWorker(settings);
  const [kept, gone, loose] = [
    await buildImage({ layers: [{ a: 'kept' }] }),
    await buildImage({ layers: [{ a: 'gone'.repeat(1000) }] }),
    await buildImage({ layers: [{ a: 'loose' }] }),
  ];
  await pushImage(url, 'team/app', '1', kept);
  await pushImage(url, 'team/app', '2', gone);
  await pushImage(url, 'team/app', null, loose);
  await fetch(`${url}/v2/team/app/manifests/${gone.digest}`, { method: 'DELETE' });

  await request({ dryRun: true });
  const dry = await ended();
  const size = gone.bytes.length + gone.blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(dry).toMatchObject({
    error: null,
    result: { blobsDeleted: gone.blobs.length + 1, manifestsDeleted: 0, bytesFreed: size },
  });

  const registryLock = createWriteLock(harness.redis, { patienceMs: 200 });
  const written = Promise.withResolvers<void>();
  const writing = registryLock.write(() => written.promise);
  await request();
  await expect
    .poll(() => registryLock.write(async () => 'in').catch(({ code }) => code))
    .toBe('REGISTRY_COLLECTING');
  written.resolve();
  await writing;
  expect(await ended()).toMatchObject({ error: null, result: dry?.result });

  await request({ deleteUntagged: true });
  expect(await ended()).toMatchObject({ error: null, result: { manifestsDeleted: 1 } });
  const status = async (digest: string) => (await fetchManifest(url, 'team/app', digest)).status;
  expect([
    await status(kept.digest),
    await status(gone.digest),
    await status(loose.digest),
  ]).toEqual([200, 404, 404]);
  await pushImage(url, 'team/app', '2', gone);
  expect(await status('2')).toBe(200);
  await worker.kill('SIGTERM');
  expect(worker.lines.join('\n')).not.toMatch(/X-Amz|only-for-the-tests/);
});

it('a collection that is killed while it deletes is completed by another worker', async () => {
  const garbage = Array.from({ length: 8_000 }, (_, n) => {
    const encoded = createHash('sha256').update(`garbage ${n}`).digest('hex');
    const file = path.join(
      store.bucketDir,
      `a/prefix/docker/registry/v2/blobs/sha256/${encoded.slice(0, 2)}/${encoded}/data`,
    );
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'x');
    return file;
  });
  const left = (files = garbage) => files.filter((file) => existsSync(file)).length;
  // A few of them: to watch all would slow down what is watched.
  const some = garbage.filter((_, nth) => nth % 40 === 0);
  const worker = await harness.startWorker(settings);
  await request();
  await expect.poll(() => left(some), { interval: 5 }).toBeLessThan(some.length);
  await worker.kill('SIGKILL');
  // The store may still delete what the last request of the dead worker named.
  expect(left()).toBeGreaterThan(0);
  const others = await harness.startWorker(settings);
  await expect
    .poll(() => harness.store.maintenance.latest('gc'), { interval: 200 })
    .toMatchObject({ state: 'done', error: null, attempts: 2 });
  expect(left()).toBe(0);
  await others.kill('SIGTERM');
});

it('an image of a registry that redirects to its store is pulled from there, only where that store is configured', async () => {
  const image = await buildImage({ layers: [{ a: 'to be copied' }] });
  await pushImage(harness.registry.url, 'team/source', '1', image);
  const source = {
    kind: 'registry',
    registryId: '__local__',
    host: harness.registry.host,
  } as const;
  const submit = () =>
    harness.submit({
      image: 'team/source',
      tag: '1',
      host: harness.registry.host,
      source,
    });
  const worker = await harness.startWorker(settings);
  const staged = await harness.settled((await submit()).id);
  expect(staged).toMatchObject({ status: 'staged', digest: image.digest });
  await worker.kill('SIGTERM');

  const other = await buildImage({ layers: [{ a: 'not in the cache' }] });
  await pushImage(harness.registry.url, 'team/source', '1', other);
  const { REGISTRY_STORE_ORIGINS: _, ...unnamed } = settings;
  const strict = await harness.startWorker({ ...unnamed, STAGE_TRIES: '1' });
  const failed = await harness.settled((await submit()).id);
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'REDIRECT_REFUSED' } });
  expect(JSON.stringify(failed)).not.toContain('X-Amz');
  await strict.kill('SIGTERM');
});
