import { openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ChangeKind,
  type ChangeWatch,
  publishChange,
  publishReports,
  watchChanges,
} from '../index.ts';

let server: TestServer;
let redis: Redis;
let watch: ChangeWatch;
let seen: ChangeKind[];

beforeEach(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
  await redisReady(redis);
  seen = [];
  watch = watchChanges(redis, (kind) => seen.push(kind));
  await expect.poll(() => watch.live()).toBe(true);
  seen.length = 0;
});

afterEach(async () => {
  watch.close();
  redis.disconnect();
  await server.stop();
});

describe('changes', () => {
  it('a change reaches every watcher, with its kind', async () => {
    const others: ChangeKind[] = [];
    const second = watchChanges(redis, (kind) => others.push(kind));
    await expect.poll(() => second.live()).toBe(true);
    others.length = 0;
    await publishChange(redis, 'access');
    await expect.poll(() => [seen, others]).toEqual([['access'], ['access']]);
    second.close();
  });

  it('new reports name their digests', async () => {
    const named: (readonly string[] | null)[] = [];
    const second = watchChanges(redis, (_, digests) => named.push(digests));
    await expect.poll(() => second.live()).toBe(true);
    named.length = 0;
    const digests = Array.from({ length: 501 }, (_, at) => `sha256:${at}`);
    await publishReports(redis, digests);
    await expect.poll(() => named.flat()).toEqual(digests);
    await expect.poll(() => seen).toEqual(['report', 'report']);
    second.close();
  });

  it('an unknown kind is ignored', async () => {
    await redis.publish('portcullis:changes', 'weather');
    await publishChange(redis, 'settings');
    await expect.poll(() => seen).toEqual(['settings']);
  });

  it('a watcher whose connection is cut is not live, and receives every kind before it is live again', async () => {
    await redis.client('KILL', 'TYPE', 'PUBSUB');
    await expect.poll(() => seen).toContain('access');
    await expect.poll(() => watch.live()).toBe(true);
    expect(seen).toContain('settings');
    seen.length = 0;
    await publishChange(redis, 'access');
    await expect.poll(() => seen).toEqual(['access']);
  });

  it('a silent server is detected within seconds', async () => {
    await redis.call('CLIENT', 'PAUSE', '4000', 'ALL');
    await expect.poll(() => watch.live()).toBe(false);
    await expect.poll(() => watch.live()).toBe(true);
  });
});
