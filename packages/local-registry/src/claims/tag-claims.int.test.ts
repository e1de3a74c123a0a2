import { openRedis, type Redis } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTagClaims } from './tag-claims.ts';

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

it('is shared by one purpose and refused to others until the last holder releases it', async () => {
  const claims = createTagClaims(redis);
  const one = await claims.claim('team/app:v1', 'sha256:a');
  const same = await claims.claim('team/app:v1', 'sha256:a');
  expect(await claims.claim('team/app:v1', 'sha256:ab')).toBeNull();
  expect(await claims.claim('team/app:v2', 'sha256:b')).not.toBeNull();
  await one?.release();
  expect(await claims.claim('team/app:v1', 'sha256:b')).toBeNull();
  await same?.release();
  expect(await claims.claim('team/app:v1', 'sha256:b')).not.toBeNull();
});

it('ends by its lease where it is abandoned', async () => {
  const claims = createTagClaims(redis, { leaseMs: 2_000 });
  (await claims.claim('team/app:v3', 'sha256:a'))?.abandon();
  expect(await claims.claim('team/app:v3', 'sha256:b')).toBeNull();
  await expect.poll(() => claims.claim('team/app:v3', 'sha256:b')).not.toBeNull();
});
