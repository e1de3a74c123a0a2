import { startRedis, type TestServer } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heartbeat, listHeartbeats } from './heartbeat.ts';
import { duplicateForBlocking, openRedis, type Redis, redisReady } from './redis.ts';

let server: TestServer;
let redis: Redis;

beforeEach(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'fail-fast' });
  await redisReady(redis);
});

afterEach(async () => {
  redis.disconnect();
  await server.stop();
});

describe('a fail-fast connection', () => {
  it('fails at once when the server is gone', async () => {
    await server.stop();
    const before = Date.now();
    await expect(redis.get('x')).rejects.toThrow();
    // Not after the time that a command may take.
    expect(Date.now() - before).toBeLessThan(2_500);
    await expect(redisReady(redis, 200)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'REDIS_UNAVAILABLE',
    });
  });

  it('has copies that may block for longer than its own commands may take', async () => {
    const blocking = duplicateForBlocking(redis);
    expect(await blocking.blpop('nothing', 3.5)).toBeNull();
    blocking.disconnect();
  });
});

describe('heartbeats', () => {
  it('list who lives, with details of the last beat, until they stop or fall silent', async () => {
    let beats = 0;
    const detail = () => ({ beats: ++beats });
    const api = heartbeat(redis, { name: 'api', instance: 'a1', version: '1.2.3', detail, intervalMs: 500 });
    const worker = heartbeat(redis, { name: 'worker', instance: 'w1', version: '1.2.3', intervalMs: 500 });
    await worker.start?.();
    await api.start?.();
    expect((await listHeartbeats(redis)).map(({ name }) => name)).toEqual(['api', 'worker']);
    await expect.poll(async () => (await listHeartbeats(redis))[0]?.detail.beats).toBeGreaterThan(2);
    await worker.stop?.();
    expect(await listHeartbeats(redis)).toMatchObject([{ name: 'api', instance: 'a1', version: '1.2.3' }]);
    await redis.set('portcullis:heartbeat:api:dead', await silent(), 'PX', 100);
    await expect.poll(async () => (await listHeartbeats(redis)).length).toBe(1);
    await api.stop?.();
    expect(await listHeartbeats(redis)).toEqual([]);
  });
});

async function silent(): Promise<string> {
  const [api] = await listHeartbeats(redis);
  return JSON.stringify({ ...api, instance: 'dead' });
}
