import { openRedis, type Redis } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type BlobLocations,
  createBlobLocations,
} from '../../apps/worker/src/lazy/blob-locations.ts';

let server: TestServer;
let redis: Redis;
let locations: BlobLocations;

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
  locations = createBlobLocations(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const found = (digest: string, registry = 'r1') => locations.of(registry, 'team/new').find(digest);

it("a blob's location is known as soon as it was uploaded, for thirty days", async () => {
  await locations.of('r1', 'team/app').arrived('sha256:a');
  expect(await found('sha256:a')).toEqual(['team/app']);
  const seconds = await redis.ttl('portcullis:blob-locations:r1:sha256:a');
  expect(seconds).toBeGreaterThan(29 * 86_400);
});

it('a repository that was asked for a blob is a location of it once that push is done', async () => {
  const push = locations.of('r1', 'team/app');
  for (const digest of ['sha256:b', 'sha256:c']) await push.find(digest);
  expect(await found('sha256:b')).toEqual([]);
  await push.arrived('sha256:b');
  expect(await found('sha256:c')).toEqual([]);
  await push.remember();
  expect([await found('sha256:b'), await found('sha256:c')]).toEqual([['team/app'], ['team/app']]);
});

it('a push that looked up no blob records nothing', async () => {
  await locations.of('r1', 'team/app').remember();
});

it('the target repository itself and other registries are not candidates', async () => {
  const push = locations.of('r1', 'team/app');
  await push.arrived('sha256:d');
  expect(await push.find('sha256:d')).toEqual([]);
  expect(await found('sha256:d', 'r2')).toEqual([]);
});
