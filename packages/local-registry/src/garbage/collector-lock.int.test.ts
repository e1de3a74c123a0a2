/** The lock that a collection holds for its whole run, on a real Redis. */
import { openRedis, type Redis } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
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
  const gate = createWriteLock(redis, { patienceMs: 60_000 });
  const long = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const writing = gate.write(() => {
    begun.resolve();
    return long.promise;
  });
  await begun.promise;
  let isClosed = false;
  const closing = createCollectorLock(redis)
    .close({ patienceMs: 120_000, signal: AbortSignal.timeout(120_000) })
    .then((lock) => {
      isClosed = true;
      return lock;
    });
  await expect.poll(() => redis.exists('portcullis:registry-gate:closed')).toBe(1);
  for (const nth of [1, 2, 3]) expect(await gate.write(async () => nth)).toBe(nth);
  expect(isClosed).toBe(false);
  long.resolve();
  await writing;
  await using _ = await closing;
  const late = createWriteLock(redis, { patienceMs: 200 });
  await expect(late.write(async () => 1)).rejects.toMatchObject({ code: 'REGISTRY_COLLECTING' });
}, 180_000);
