/** Publishing many events at once, on a real Redis. */
import { randomUUID } from 'node:crypto';
import { openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { type LossyRedis, startLossyRedis } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recent } from './audit-stream.ts';
import { createPublisher } from './publisher.ts';

let server: LossyRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startLossyRedis();
  redis = openRedis(server.url, { mode: 'fail-fast' });
  await redisReady(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const event = (name: string) => sampleEvent({ id: randomUUID(), event: name });

it('events are on the stream once and in the order of the calls, in a few commands', async () => {
  const publish = createPublisher(redis);
  const names = Array.from({ length: 1_000 }, (_, n) => `e${n}`);
  await redis.config('RESETSTAT');
  await Promise.all(names.map((name) => publish(event(name))));
  const found = await recent(redis, 2_000);
  expect(found.map(({ event: name }) => name).reverse()).toEqual(names);
  const scripts = /cmdstat_eval:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1];
  expect(Number(scripts)).toBeLessThan(20);
});

it('an event is on the stream when its promise resolves', async () => {
  const publish = createPublisher(redis);
  const published = ['a', 'b', 'c'].map(async (name) => {
    await publish(event(name));
    const found = await recent(redis, 10);
    expect(found.map(({ event: known }) => known)).toContain(name);
  });
  await Promise.all(published);
});

it('each caller learns that Redis is gone, and later events are published again', async () => {
  const publish = createPublisher(redis);
  await server.crash();
  await expect.poll(() => redis.status).not.toBe('ready');
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => publish(event(name))));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await server.startEmpty();
  await redisReady(redis, 20_000);
  await Promise.all(['d', 'e'].map((name) => publish(event(name))));
  expect((await recent(redis)).map(({ event: name }) => name)).toEqual(['e', 'd']);
});
