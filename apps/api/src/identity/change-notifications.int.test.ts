import { once } from 'node:events';
import { watchChanges } from '@portcullis/events';
import { createLogger, openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAnnouncer } from './change-notifications.ts';

const log = createLogger({ name: 'test', destination: { write: () => {} } });
let server: TestServer;
let ours: Redis;
let theirs: Redis;

beforeEach(async () => {
  server = await startRedis();
  [ours, theirs] = [
    openRedis(server.url, { mode: 'fail-fast' }),
    openRedis(server.url, { mode: 'patient' }),
  ];
  await Promise.all([redisReady(ours), redisReady(theirs)]);
});
afterEach(async () => {
  ours.disconnect();
  theirs.disconnect();
  await server.stop();
});

it('this process clears its cache before others are notified', async () => {
  let forgotten = 0;
  const announced = createAnnouncer({
    redis: ours,
    kind: 'access',
    forget: () => forgotten++,
    log,
  })();
  expect(forgotten).toBe(1);
  await announced;
});

it('a change while Redis is unavailable succeeds, and is announced after the outage', async () => {
  let heard = 0;
  const watch = watchChanges(theirs, () => heard++);
  await expect.poll(watch.live).toBe(true);
  heard = 0;
  const closed = once(ours, 'close');
  await theirs.client('KILL', 'ID', await ours.client('ID'));
  await closed;
  await createAnnouncer({ redis: ours, kind: 'access', forget: () => {}, log })();
  expect(heard).toBe(0);
  await expect.poll(() => heard).toBe(1);
  watch.close();
});
