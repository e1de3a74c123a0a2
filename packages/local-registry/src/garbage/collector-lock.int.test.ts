/** The lock that a collection holds for its whole run, on a real Redis. */
import { openRedis, type Redis } from '@portcullis/runtime';
import { PATIENCE_MS, startRedis, type TestServer } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCollectorLock } from './collector-lock.ts';
import { createWriteLock } from './write-lock.ts';

let server: TestServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushall());

it('other writes go on while the collection waits for a long one, and it begins after that', async () => {
  const registryLock = createWriteLock(redis, { patienceMs: PATIENCE_MS });
  const long = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const writing = registryLock.write(() => {
    begun.resolve();
    return long.promise;
  });
  await begun.promise;
  let isClosed = false;
  const closing = createCollectorLock(redis)
    .close({ patienceMs: PATIENCE_MS, signal: new AbortController().signal })
    .then((lock) => {
      isClosed = true;
      return lock;
    });
  await expect.poll(() => redis.exists('portcullis:registry-gate:closed')).toBe(1);
  for (const nth of [1, 2, 3]) expect(await registryLock.write(async () => nth)).toBe(nth);
  expect(isClosed).toBe(false);
  long.resolve();
  await writing;
  await using _ = await closing;
  const late = createWriteLock(redis, { patienceMs: 200 });
  await expect(late.write(async () => 1)).rejects.toMatchObject({ code: 'REGISTRY_COLLECTING' });
});

it('writes that begin together share one entry, which lasts until each of them has ended', async () => {
  const registryLock = createWriteLock(redis);
  const ends = [1, 2].map(() => Promise.withResolvers<void>());
  const writing = ends.map(({ promise }) => registryLock.write(() => promise));
  const writers = () => redis.zcard('portcullis:registry-gate:writers');
  await expect.poll(writers).toBe(1);
  for (const [nth, { resolve }] of ends.entries()) {
    expect(await writers()).toBe(1);
    resolve();
    await writing[nth];
  }
  await expect.poll(writers).toBe(0);
});

/** Begins a write, which runs until it is ended. */
async function begun(
  registryLock: ReturnType<typeof createWriteLock>,
): Promise<{ end(): Promise<void> }> {
  const [begins, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = registryLock.write(() => {
    begins.resolve();
    return ends.promise;
  });
  await begins.promise;
  return {
    end() {
      ends.resolve();
      return writing;
    },
  };
}

it('a write joins the entry of a running one for a moment, and has its own afterwards', async () => {
  const registryLock = createWriteLock(redis);
  const writers = () => redis.zcard('portcullis:registry-gate:writers');
  let running: { end(): Promise<void> } | undefined;
  // The moment may pass before the second write begins.
  await expect
    .poll(async () => {
      await running?.end();
      running = await begun(registryLock);
      return registryLock.write(writers);
    })
    .toBe(1);
  await expect.poll(() => registryLock.write(writers)).toBe(2);
  await running?.end();
  await expect.poll(writers).toBe(0);
});

it('the blobs of a write are pinned before its work begins, also where it joins another write', async () => {
  await redis.set('portcullis:registry-gate:closed', 'batches:of-a-run');
  const registryLock = createWriteLock(redis);
  const stored = async () =>
    Promise.all([
      redis.zrange('portcullis:registry-gate:needs', '0', '-1'),
      redis.smembers('portcullis:registry-gate:touched').then((all) => all.sort()),
    ]);
  const joined = Promise.withResolvers<unknown>();
  const first = registryLock.write(
    async () => {
      const own = await stored();
      joined.resolve(registryLock.write(stored, { repository: 'team/two', digests: ['b'] }));
      await joined.promise;
      return own;
    },
    { repository: 'team/one', digests: ['a'] },
  );
  expect(await first).toEqual([['team/one a'], ['team/one a']]);
  const both = ['team/one a', 'team/two b'];
  expect(await joined.promise).toEqual([both, both]);
});

it('pins and records of one turn are all stored', async () => {
  const registryLock = createWriteLock(redis);
  await redis.set('portcullis:registry-gate:closed', 'batches:of-a-run');
  await Promise.all([
    registryLock.needs('team/one', ['a', 'b']),
    registryLock.needs('team/two', ['a']),
    registryLock.touches('team/one', ['latest']),
    registryLock.touches('team/two', ['c', 'latest']),
  ]);
  const pinned = ['team/one a', 'team/one b', 'team/two a'];
  expect((await redis.zrange('portcullis:registry-gate:needs', '0', '-1')).sort()).toEqual(pinned);
  const touched = [...pinned, 'team/one latest', 'team/two c', 'team/two latest'];
  const recorded = await redis.smembers('portcullis:registry-gate:touched');
  expect(recorded.sort()).toEqual(touched.sort());
  await Promise.all([
    registryLock.settled('team/one', ['a']),
    registryLock.settled('team/two', ['a']),
  ]);
  expect(await redis.zrange('portcullis:registry-gate:needs', '0', '-1')).toEqual(['team/one b']);
});
