/**
 * A collector of garbage that is killed while it waits, and a Redis that loses all data meanwhile.
 */
import { createCollectorLock, createWriteLock } from '@portcullis/local-registry';
import { blobOf, pushBlob } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { collect, harness, hasBlob, startCollector, unhurried } from './garbage.fixture.ts';
import { openHarness } from './harness.ts';

startCollector();

it('a worker that is killed while it waits for writes: the registry is writable again, and the next worker takes the run over', async () => {
  const second = await openHarness();
  try {
    const worker = await second.startWorker({ REGISTRY_STORAGE: second.registry.storageDir });
    const registryLock = createWriteLock(second.redis, { patienceMs: 100 });
    const held = Promise.withResolvers<void>();
    const writing = registryLock.write(() => held.promise);
    await second.store.maintenance.request({ kind: 'gc', options: {}, requestedBy: 'root' });
    await expect
      .poll(() => registryLock.write(async () => 'in').catch(({ code }) => code))
      .toBe('REGISTRY_COLLECTING');
    await worker.kill('SIGKILL');
    held.resolve();
    await writing;
    await expect
      .poll(() => registryLock.write(async () => 'in').catch(({ code }) => code))
      .toBe('in');
    expect(await second.store.maintenance.latest('gc')).toMatchObject({ state: 'running' });
    await second.startWorker({ REGISTRY_STORAGE: second.registry.storageDir });
    await expect
      .poll(() => second.store.maintenance.latest('gc'), { interval: 500 })
      .toMatchObject({ state: 'done', error: null, attempts: 2 });
  } finally {
    await second[Symbol.asyncDispose]();
  }
});

describe('a Redis that loses all its data (FLUSHALL)', () => {
  it('does not allow a collection during a running write', async () => {
    const registryLock = createWriteLock(harness.redis);
    const written = Promise.withResolvers<void>();
    const order: string[] = [];
    const writing = registryLock.write(() => written.promise).then(() => order.push('written'));
    await harness.redis.flushall();
    const closing = createCollectorLock(harness.redis)
      .close(unhurried())
      .then((closed) => {
        order.push('closed');
        return closed;
      });
    const known = () => harness.redis.zcard('portcullis:registry-gate:writers');
    await expect.poll(known).toBe(1);
    expect(order).toEqual([]);
    written.resolve();
    await Promise.all([writing, closing.then((closed) => closed[Symbol.asyncDispose]())]);
    expect(order).toEqual(['written', 'closed']);
  });

  it('aborts the deletion, because new writes may begin', async () => {
    const closed = await createCollectorLock(harness.redis).close(unhurried());
    await harness.redis.flushall();
    await expect.poll(() => closed.lost.aborted).toBe(true);
    await closed[Symbol.asyncDispose]();
  });

  it('keeps what a running push had uploaded before', async () => {
    const blob = blobOf('application/octet-stream', Buffer.from('sent before the loss'));
    await pushBlob(harness.registry.url, 'team/lost', blob);
    await createWriteLock(harness.redis).needs('team/lost', [blob.descriptor.digest]);
    await harness.redis.flushall();
    expect(await collect({ deleteUntagged: true })).toMatchObject({ state: 'done' });
    expect(await hasBlob('team/lost', blob.descriptor.digest)).toBe(true);
  });
});
