/** Workers that are killed, stopped or cancelled, and fair sharing between accounts. */
import type { StagingJob } from '@portcullis/domain';
import {
  fetchManifest,
  pushImage,
  randomImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import { type Behaviour, type FaultyRegistry, startProxy } from './proxy.ts';

let harness: Harness;
let source: TestRegistry;
let image: TestImage;

const LAYER = 3_000_000;

beforeAll(async () => {
  [harness, source, image] = await Promise.all([
    openHarness(),
    startRegistry(),
    randomImage({ layers: 3, bytes: LAYER }),
  ]);
  await pushImage(source.url, 'team/big', '1', image);
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

async function worker(env?: Record<string, string>) {
  const started = await harness.startWorker(env);
  onTestFinished(() => started.kill('SIGTERM'));
  return started;
}

async function proxy(upstream: string, behaviour?: Behaviour): Promise<FaultyRegistry> {
  const started = await startProxy(upstream, behaviour);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

/** An empty cache and different bytes, so that no blob of an earlier test exists. */
async function freshImage(repository: string): Promise<TestImage> {
  const fresh = await randomImage({ layers: 3, bytes: LAYER });
  await pushImage(source.url, repository, '1', fresh);
  return fresh;
}

const bytesDown = (through: FaultyRegistry) =>
  through.blobGets().reduce((sum, { bytes }) => sum + bytes, 0);
const bytesOf = ({ blobs }: TestImage) =>
  blobs.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
const layersGot = (through: FaultyRegistry) => new Set(through.blobGets().map(({ path }) => path));

describe('kill -9', () => {
  it('during a pull: another worker resumes it, with the digest that the tag had at first', async () => {
    const fresh = await freshImage('team/pull');
    const slow = await proxy(source.url, { rate: 750_000 });
    const first = await worker({ BLOB_CONCURRENCY: '2' });
    const job = await harness.submit({ image: 'team/pull', tag: '1', host: slow.host });
    await expect.poll(() => bytesDown(slow)).toBeGreaterThan(LAYER);
    await first.kill('SIGKILL');
    const [before, requests] = [bytesDown(slow), slow.seen.length];
    expect((await harness.store.jobs.get(job.id)).status).toBe('pulling');
    // The tag moves between the two pulls.
    await pushImage(source.url, 'team/pull', '1', await randomImage());

    slow.behaviour = {};
    await worker();
    const staged = await harness.settled(job.id);
    expect(staged).toMatchObject({ status: 'staged', digest: fresh.digest, error: null });
    const again = slow.seen
      .slice(requests)
      .filter(({ path, method }) => method === 'GET' && path.includes('/blobs/'));
    expect(again.some(({ range }) => range !== null)).toBe(true);
    // Only bytes that were in transit at the kill are sent twice.
    expect(before + again.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(
      bytesOf(fresh) + LAYER / 2,
    );
    expect(layersGot(slow).size).toBe(fresh.blobs.length);
  });

  it('during a push: another worker finishes it, and uploaded blobs are not sent again', async () => {
    const target = await startRegistry();
    onTestFinished(target.stop);
    const slow = await proxy(target.url, { rate: 1_500_000 });
    const first = await worker({ BLOB_CONCURRENCY: '1' });
    const job = await harness.submit({ image: 'team/big', tag: '1', host: source.host });
    await harness.settled(job.id);
    const registry = await harness.store.registries.insert({
      name: 'slow',
      host: slow.host,
      useTls: false,
    });
    await harness.push(job.id, {
      repository: 'team/big',
      kind: 'registry',
      registryId: registry.id,
      host: slow.host,
    });
    const stored = () =>
      slow.seen.filter(({ method, status }) => method === 'PUT' && status === 201).length;
    await expect.poll(stored).toBeGreaterThanOrEqual(1);
    await first.kill('SIGKILL');
    const done = stored();
    const from = slow.seen.length;

    slow.behaviour = {};
    await worker();
    const pushed = await harness.settled(job.id);
    expect(pushed).toMatchObject({ status: 'pushed', error: null });
    const uploads = slow.seen
      .slice(from)
      .filter(
        ({ method, path, status }) =>
          method === 'PUT' && path.includes('/blobs/') && status === 201,
      );
    expect(uploads.length).toBeLessThanOrEqual(image.blobs.length - done);
    expect(
      (await fetchManifest(target.url, 'team/big', 'latest')).body.equals(Buffer.from(image.bytes)),
    ).toBe(true);
  });

  it('a job whose queue entry was lost is found by its row', async () => {
    await worker();
    const lost = await harness.store.jobs.insert({
      ownerId: harness.admin.id,
      image: 'team/big',
      tag: '1',
      source: { kind: 'host', registryId: null, host: source.host },
    });
    await harness.store.jobs.begin(lost.id, 'pull', 'a worker that is no more');
    expect(await harness.settled(lost.id)).toMatchObject({ status: 'staged' });
  });
});

describe('stopping', () => {
  it('SIGTERM returns running jobs to the queue at once, and another worker finishes them', async () => {
    await freshImage('team/stop');
    const slow = await proxy(source.url, { rate: 100_000 });
    const first = await worker();
    const job = await harness.submit({ image: 'team/stop', tag: '1', host: slow.host });
    await expect.poll(() => bytesDown(slow)).toBeGreaterThan(100_000);
    await first.kill('SIGTERM');
    // More than half a minute of bytes was left.
    expect(bytesDown(slow)).toBeLessThan(LAYER);
    expect(await harness.store.jobs.get(job.id)).toMatchObject({
      status: 'pull_queued',
      attempts: 0,
    });
    slow.behaviour = {};
    await worker();
    expect(await harness.settled(job.id)).toMatchObject({ status: 'staged' });
  });

  it('SIGTERM lets a job finish that needs less than the grace period', async () => {
    await freshImage('team/grace');
    const slow = await proxy(source.url, { rate: 1_000_000 });
    const first = await worker({ WORKER_GRACE_SECONDS: '60' });
    const job = await harness.submit({ image: 'team/grace', tag: '1', host: slow.host });
    await expect.poll(() => bytesDown(slow)).toBeGreaterThan(100_000);
    await first.kill('SIGTERM');
    expect((await harness.store.jobs.get(job.id)).status).toBe('scan_queued');
  });

  it('cancel stops a running pull at once, before its worker reads the row again', async () => {
    await freshImage('team/cancel');
    const slow = await proxy(source.url, { rate: 100_000 });
    await worker();
    const job = await harness.submit({ image: 'team/cancel', tag: '1', host: slow.host });
    await expect.poll(() => bytesDown(slow)).toBeGreaterThan(100_000);
    // The row, which does not say so, would be read within seconds.
    await harness.queues.cancel(job.id);
    const cancelled = await harness.settled(job.id);
    expect(cancelled.status).toBe('cancelled');
    // The source is notified a moment later; half a minute of bytes was left.
    let before = 0;
    const sinceLast = () => {
      const last = before;
      before = bytesDown(slow);
      return before - last;
    };
    await expect.poll(sinceLast, { interval: 500 }).toBe(0);
    expect(bytesDown(slow)).toBeLessThan(LAYER);
  });
});

it('many jobs of one account do not delay the single job of another', async () => {
  const small = await randomImage();
  await pushImage(source.url, 'team/fair', '1', small);
  const slow = await proxy(source.url, { delayMs: 20 });
  const bob = await harness.store.users.insert({
    username: 'bob',
    passwordHash: null,
    isAdmin: true,
  });
  const many = [];
  for (let count = 0; count < 30; count++)
    many.push(await harness.submit({ image: 'team/fair', tag: '1', host: slow.host }));
  const one = await harness.submit({
    image: 'team/fair',
    tag: '1',
    host: slow.host,
    ownerId: bob.id,
  });
  await worker({ WORKER_CONCURRENCY: 'pull=1' });
  const beganAt = ({ timeline }: StagingJob) =>
    timeline.find(({ status }) => status === 'pulling')?.at.getTime() ?? Infinity;
  const began = beganAt(await harness.settled(one.id));
  const others = (await Promise.all(many.map(({ id }) => harness.store.jobs.get(id)))).map(beganAt);
  expect(others.filter((at) => at < began).length).toBeLessThan(5);
});
