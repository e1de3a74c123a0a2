import { openRedis, type Redis } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQuotaClaims } from './quota-claims.ts';

let server: TestServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

it('adds up what earlier claims of the folder hold, until they are released', async () => {
  const claims = createQuotaClaims(redis);
  const first = await claims.claim('team', 2 ** 52);
  expect(first.earlier).toBe(0);
  const second = await claims.claim('team', 7);
  expect(second.earlier).toBe(2 ** 52);
  expect((await claims.claim('other', 1)).earlier).toBe(0);
  await first.release();
  expect((await claims.claim('team', 1)).earlier).toBe(7);
});

it('holds the same bytes twice for two pushes', async () => {
  const claims = createQuotaClaims(redis);
  await claims.claim('twice', 5);
  await claims.claim('twice', 5);
  expect((await claims.claim('twice', 5)).earlier).toBe(10);
});

it('ends by its lease where its process died', async () => {
  const claims = createQuotaClaims(redis, { leaseMs: 300 });
  await claims.claim('lost', 9);
  await expect.poll(async () => (await claims.claim('lost', 0)).earlier).toBe(0);
});
