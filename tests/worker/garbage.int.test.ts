import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { recent } from '@portcullis/events';
import {
  createCollectorLock,
  createWriteLock,
  isCollecting,
  type WriteLock,
} from '@portcullis/local-registry';
import type { MaintenanceRun } from '@portcullis/store';
import {
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  eventually,
  fetchManifest,
  pushBlob,
  pushImage,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
  await harness.startWorker({ REGISTRY_STORAGE: harness.registry.storageDir });
  // The lock has recorded writes since before these.
  await createWriteLock(harness.redis).needs('team/any', [`sha256:${'0'.repeat(64)}`]);
});
afterAll(() => harness?.[Symbol.asyncDispose]());

async function collect(options: Record<string, boolean> = {}): Promise<MaintenanceRun> {
  const run = await harness.store.maintenance.request({ kind: 'gc', options, requestedBy: 'root' });
  expect(run).not.toBeNull();
  return ended();
}

async function ended(): Promise<MaintenanceRun> {
  const latest = () => harness.store.maintenance.latest('gc');
  const run = await eventually(latest, (run) => run?.state === 'done' || run?.state === 'failed');
  if (run === null) throw new Error('no collection is recorded');
  return run;
}

async function remove(repository: string, { digest }: TestImage): Promise<void> {
  const url = `${harness.registry.url}/v2/${repository}/manifests/${digest}`;
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(202);
}

async function hasBlob(repository: string, digest: string): Promise<boolean> {
  const url = `${harness.registry.url}/v2/${repository}/blobs/${digest}`;
  return (await fetch(url, { method: 'HEAD' })).status === 200;
}

const has = async (
  repository: string,
  { digest }: { digest: string },
  url = harness.registry.url,
) => (await fetchManifest(url, repository, digest)).status === 200;

it('deletes the blobs of a deleted image, reports their size, and keeps the others', async () => {
  const { url } = harness.registry;
  const kept = await buildImage({ layers: [{ a: 'kept' }] });
  const gone = await buildImage({ layers: [{ a: 'gone'.repeat(1000) }] });
  await pushImage(url, 'team/app', '1', kept);
  await pushImage(url, 'team/app', '2', gone);
  await remove('team/app', gone);

  const dry = await collect({ dryRun: true });
  expect(dry).toMatchObject({ state: 'done', error: null });
  for (const { descriptor } of gone.blobs)
    expect(await hasBlob('team/app', descriptor.digest)).toBe(true);

  const run = await collect();
  expect(run).toMatchObject({ state: 'done', error: null, result: dry.result });
  const size = gone.bytes.length + gone.blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(run.result).toEqual({
    blobsDeleted: gone.blobs.length + 1,
    manifestsDeleted: 0,
    bytesFreed: size,
  });
  // A running registry caches which blobs exist; a push would skip a deleted one.
  for (const { descriptor } of gone.blobs)
    expect(await hasBlob('team/app', descriptor.digest)).toBe(false);
  for (const { descriptor } of kept.blobs)
    expect(await hasBlob('team/app', descriptor.digest)).toBe(true);
  await pushImage(url, 'team/app', '2', gone);
  expect(await has('team/app', gone)).toBe(true);
  const newest = async () =>
    (await recent(harness.redis, 10)).find((each) => each.event === 'system.gc_finished');
  await expect.poll(newest).toMatchObject({ outcome: 'success', actor: { name: 'root' } });
});

it('untagged manifests are deleted on request; children of a tagged index and its signatures are kept', async () => {
  const { url } = harness.registry;
  const [amd, arm, loose] = [
    await buildImage({ platform: 'linux/amd64', layers: [{ a: 'amd' }] }),
    await buildImage({ platform: 'linux/arm64', layers: [{ a: 'arm' }] }),
    await buildImage({ layers: [{ a: 'loose' }] }),
  ];
  const index = await buildIndex([amd, arm]);
  const signature = buildArtifact({
    subject: index.descriptor,
    artifactType: 'application/x.signature',
    layers: [],
  });
  await pushImage(url, 'team/multi', '1', index);
  await pushImage(url, 'team/multi', null, signature);
  await pushImage(url, 'team/multi', null, loose);

  expect(await collect()).toMatchObject({ state: 'done', result: { manifestsDeleted: 0 } });
  expect(await has('team/multi', loose)).toBe(true);
  expect(await collect({ deleteUntagged: true })).toMatchObject({
    state: 'done',
    result: { manifestsDeleted: 1 },
  });
  expect(await has('team/multi', loose)).toBe(false);
  for (const image of [index, amd, arm, signature])
    expect(await has('team/multi', image)).toBe(true);
  for (const { descriptor } of [...amd.blobs, ...arm.blobs])
    expect(await hasBlob('team/multi', descriptor.digest)).toBe(true);
});

it('blobs that a running push relies on are kept, whether it uploaded or found them', async () => {
  const { url } = harness.registry;
  const gate = createWriteLock(harness.redis);
  const [relied, other] = [
    blobOf('application/octet-stream', Buffer.from('relied on')),
    blobOf('application/octet-stream', Buffer.from('not any more')),
  ];
  for (const blob of [relied, other]) {
    await pushBlob(url, 'team/push', blob);
    await gate.needs('team/push', [blob.descriptor.digest]);
  }
  await gate.settled('team/push', [other.descriptor.digest]);
  expect(await collect({ deleteUntagged: true })).toMatchObject({ state: 'done' });
  expect(await hasBlob('team/push', relied.descriptor.digest)).toBe(true);
  expect(await hasBlob('team/push', other.descriptor.digest)).toBe(false);
});

it('running writes are waited for; new ones wait for a moment and are then let in', async () => {
  const gate = createWriteLock(harness.redis, { patienceMs: 300 });
  const written = Promise.withResolvers<void>();
  const writing = gate.write(() => written.promise);
  await harness.store.maintenance.request({ kind: 'gc', options: {}, requestedBy: 'root' });
  await expect
    .poll(() => gate.write(async () => 'let in').catch(({ code }) => code))
    .toBe('REGISTRY_COLLECTING');
  expect(await harness.store.maintenance.latest('gc')).toMatchObject({ state: 'running' });
  const waiting = createWriteLock(harness.redis, { patienceMs: 20_000 });
  expect(await waiting.write(async () => 'let in')).toBe('let in');
  // One at a time.
  expect(
    await harness.store.maintenance.request({ kind: 'gc', options: {}, requestedBy: 'x' }),
  ).toBeNull();
  written.resolve();
  await writing;
  expect(await ended()).toMatchObject({ state: 'done' });
  expect(await gate.write(async () => 'let in')).toBe('let in');
});

it('a worker that is killed while it waits for writes: the registry is writable again, and the next worker takes the run over', async () => {
  const second = await openHarness();
  try {
    const worker = await second.startWorker({ REGISTRY_STORAGE: second.registry.storageDir });
    const gate = createWriteLock(second.redis, { patienceMs: 100 });
    const held = Promise.withResolvers<void>();
    const writing = gate.write(() => held.promise);
    await second.store.maintenance.request({ kind: 'gc', options: {}, requestedBy: 'root' });
    await expect
      .poll(() => gate.write(async () => 'in').catch(({ code }) => code))
      .toBe('REGISTRY_COLLECTING');
    await worker.kill('SIGKILL');
    held.resolve();
    await writing;
    await expect
      .poll(() => gate.write(async () => 'in').catch(({ code }) => code), { timeout: 60_000 })
      .toBe('in');
    expect(await second.store.maintenance.latest('gc')).toMatchObject({ state: 'running' });
    await second.startWorker({ REGISTRY_STORAGE: second.registry.storageDir });
    await expect
      .poll(() => second.store.maintenance.latest('gc'), { timeout: 90_000, interval: 500 })
      .toMatchObject({ state: 'done', error: null, attempts: 2 });
  } finally {
    await second[Symbol.asyncDispose]();
  }
}, 240_000);

// As many of each as take the worker seconds to delete.
it.each([
  ['manifests', 2_000],
  ['blobs', 8_000],
] as const)(
  'a worker killed while it deletes %s: the registry is writable again, pushes are complete, another worker completes it',
  async (kind, count) => {
    await using own = await openHarness();
    const { url, storageDir } = own.registry;
    const gate = createWriteLock(own.redis);
    await gate.needs('team/any', [`sha256:${'0'.repeat(64)}`]);
    const kept = await buildImage({ layers: [{ a: 'kept' }] });
    await pushImage(url, 'team/app', '1', kept);
    const garbage = writeGarbage(storageDir, count);
    const manifests = kind === 'manifests' ? linkGarbage(storageDir, 'team/app', count) : [];
    const watched = kind === 'manifests' ? manifests : garbage;
    const worker = await own.startWorker({ REGISTRY_STORAGE: storageDir });
    await using pushes = pushOnAndOn(own, gate);

    const options = { deleteUntagged: true };
    await own.store.maintenance.request({ kind: 'gc', options, requestedBy: 'root' });
    // A few of them: to watch all would slow down what is watched.
    const some = watched.filter((_, nth) => nth % (count / 200) === 0);
    await expect.poll(() => left(some), { timeout: 60_000, interval: 5 }).toBeLessThan(some.length);
    await worker.kill('SIGKILL');
    expect(left(watched)).toBeGreaterThan(0);

    const others = await own.startWorker({ REGISTRY_STORAGE: storageDir });
    const before = pushes.done.length;
    await expect.poll(() => pushes.done.length, { timeout: 60_000 }).toBeGreaterThan(before + 1);
    await expect
      .poll(() => own.store.maintenance.latest('gc'), { timeout: 90_000, interval: 200 })
      .toMatchObject({ state: 'done', error: null, attempts: 2 });
    expect([left(manifests), left(garbage)]).toEqual([0, 0]);
    const events = async () =>
      (await recent(own.redis, 50)).filter((each) => each.event === 'system.gc_finished');
    await expect.poll(events).toMatchObject([{ outcome: 'success' }]);
    const pushed = await pushes.stop();
    for (const [repository, image] of [['team/app', kept] as const, ...pushed]) {
      expect(await has(repository, image, url)).toBe(true);
      for (const { descriptor } of image.blobs) {
        const answer = await fetch(`${url}/v2/${repository}/blobs/${descriptor.digest}`);
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([
          200,
          descriptor.size,
        ]);
      }
    }
    await others.kill('SIGTERM');
  },
  240_000,
);

it('a lost write lock aborts the deletion', async () => {
  const closed = await createCollectorLock(harness.redis).close({
    patienceMs: 5_000,
    signal: AbortSignal.timeout(10_000),
  });
  await harness.redis.del('portcullis:registry-gate:closed');
  await expect.poll(() => closed.lost.aborted).toBe(true);
  await closed[Symbol.asyncDispose]();
});

describe('a Redis that loses all its data (FLUSHALL)', () => {
  const signal = () => AbortSignal.timeout(60_000);

  it('does not allow a collection during a running write', async () => {
    const gate = createWriteLock(harness.redis);
    const written = Promise.withResolvers<void>();
    const order: string[] = [];
    const writing = gate.write(() => written.promise).then(() => order.push('written'));
    await harness.redis.flushall();
    const closing = createCollectorLock(harness.redis)
      .close({ patienceMs: 50_000, signal: signal() })
      .then((closed) => {
        order.push('closed');
        return closed;
      });
    const known = () => harness.redis.zcard('portcullis:registry-gate:writers');
    await expect.poll(known, { timeout: 20_000 }).toBe(1);
    expect(order).toEqual([]);
    written.resolve();
    await Promise.all([writing, closing.then((closed) => closed[Symbol.asyncDispose]())]);
    expect(order).toEqual(['written', 'closed']);
  }, 120_000);

  it('aborts the deletion, because new writes may begin', async () => {
    const closed = await createCollectorLock(harness.redis).close({
      patienceMs: 30_000,
      signal: signal(),
    });
    await harness.redis.flushall();
    await expect.poll(() => closed.lost.aborted, { timeout: 20_000 }).toBe(true);
    await closed[Symbol.asyncDispose]();
  }, 120_000);

  it('keeps what a running push had uploaded before', async () => {
    const blob = blobOf('application/octet-stream', Buffer.from('sent before the loss'));
    await pushBlob(harness.registry.url, 'team/lost', blob);
    await createWriteLock(harness.redis).needs('team/lost', [blob.descriptor.digest]);
    await harness.redis.flushall();
    expect(await collect({ deleteUntagged: true })).toMatchObject({ state: 'done' });
    expect(await hasBlob('team/lost', blob.descriptor.digest)).toBe(true);
  }, 120_000);
});

const textOf = (n: number) => JSON.stringify({ garbage: n });
const hexOf = (n: number) => createHash('sha256').update(textOf(n)).digest('hex');

/** The files of blobs that no manifest names. */
function writeGarbage(storageDir: string, count: number): string[] {
  const blobs = path.join(storageDir, 'docker/registry/v2/blobs/sha256');
  return Array.from({ length: count }, (_, n) =>
    written(path.join(blobs, hexOf(n).slice(0, 2), hexOf(n), 'data'), textOf(n)),
  );
}

/** The links that make the same blobs untagged manifests. */
function linkGarbage(storageDir: string, repository: string, count: number): string[] {
  const dir = path.join(storageDir, 'docker/registry/v2/repositories', repository);
  return Array.from({ length: count }, (_, n) =>
    written(path.join(dir, '_manifests/revisions/sha256', hexOf(n), 'link'), `sha256:${hexOf(n)}`),
  );
}

function written(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function left(files: string[]): number {
  return files.filter((file) => existsSync(file)).length;
}

/** Like pushes through the api: one image after another, with retries while a collection runs. */
function pushOnAndOn({ registry }: Harness, gate: WriteLock) {
  const done: [repository: string, image: TestImage][] = [];
  let stopped = false;
  async function letIn(work: () => Promise<unknown>): Promise<void> {
    const held = await gate.write(work).then(
      () => false,
      (error: unknown) => isCollecting(error) || Promise.reject(error),
    );
    if (held) await letIn(work);
  }
  async function run(): Promise<void> {
    for (let n = 0; !stopped; n++) {
      const repository = `team/pushed${n % 5}`;
      const image = await buildImage({ layers: [{ n: `pushed ${n}` }] });
      for (const blob of image.blobs) {
        await letIn(async () => {
          await gate.needs(repository, [blob.descriptor.digest]);
          await pushBlob(registry.url, repository, blob);
        });
      }
      await letIn(async () => {
        await gate.touches(repository, [image.digest]);
        await pushImage(registry.url, repository, `v${n}`, image);
      });
      done.push([repository, image]);
    }
  }
  const running = run();
  async function stop() {
    stopped = true;
    await running;
    return done;
  }
  return { done, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
