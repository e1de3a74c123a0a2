import { rm } from 'node:fs/promises';
import { createServer } from 'node:tls';
import { freePort } from '@portcullis/embedded';
import { makeCertificate, startRedis, type TestServer } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeat, lastBeat, listHeartbeats } from '../heartbeat.ts';
import {
  duplicateForBlocking,
  openRedis,
  pingRedis,
  type Redis,
  redisAnswers,
  redisReady,
  withRedis,
} from './redis.ts';

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
    // The timeout of a command never comes, so that only a refusal at once ends it.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await expect(redis.get('x')).rejects.toThrow();
    vi.useRealTimers();
    await expect(redisReady(redis, 200)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'REDIS_UNAVAILABLE',
    });
  });

  it('writes the commands of one turn to its socket together', async () => {
    const answers = Promise.all([redis.set('x', '1'), redis.get('x'), redis.incr('x')]);
    // Nothing has gone to the system yet.
    expect(redis.stream.writableLength).toBeGreaterThan(0);
    expect(await answers).toEqual(['OK', '1', 2]);
    expect(redis.stream.writableLength).toBe(0);
  });

  it('can be copied for commands that block longer than its own timeout', async () => {
    const blocking = duplicateForBlocking(redis);
    expect(await blocking.blpop('nothing', 3.5)).toBeNull();
    blocking.disconnect();
  });
});

describe('O10: the reason why Redis cannot be reached', () => {
  async function whyNot(url: string): Promise<string> {
    const other = openRedis(url, { mode: 'fail-fast' });
    try {
      await expect
        .poll(() => pingRedis(other).then(() => '', String))
        .not.toMatch(/: it does not answer$/);
      await expect(redisReady(other, 100)).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
      return await pingRedis(other).then(
        () => '',
        (error: Error) => error.message,
      );
    } finally {
      other.disconnect();
    }
  }

  it.each<[string, (host: string, port: number) => string, RegExp]>([
    ['refused', (_, port) => `redis://127.0.0.1:${port}`, /the connection is refused/],
    ['a wrong password', (host) => `redis://:not-this-one@${host}`, /refuses the password/],
    ['no password', (host) => `redis://${host}`, /wants a password/],
    ['TLS to a server without', (host) => `rediss://${host}`, /TLS/],
    ['an unknown name', () => 'redis://redis.invalid', /does not resolve/],
  ])('%s', async (_, urlOf, why) => {
    const message = await whyNot(urlOf(server.host, await freePort()));
    expect(message).toMatch(why);
    expect(message).not.toMatch(/not-this-one|127\.0\.0\.1/);
  });

  it('an untrusted certificate', async () => {
    const { certificate: cert, key } = makeCertificate();
    const tls = createServer({ cert, key }).on('tlsClientError', () => {});
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const address = tls.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await whyNot(`rediss://127.0.0.1:${port}`)).toMatch(/certificate is not trusted/);
    await new Promise((resolve) => tls.close(resolve));
  });
});

describe('an account of Redis with few rights', () => {
  async function probed(name: string, rights: string[]): Promise<string> {
    await redis.call('ACL', 'SETUSER', name, 'on', '>secret', '~*', '&*', ...rights);
    const own = openRedis(`redis://${name}:secret@${server.host}`, { mode: 'patient' });
    try {
      await redisReady(own);
      return await pingRedis(own).then(() => 'works', String);
    } finally {
      own.disconnect();
    }
  }

  it.each([
    ['all', ['+@all'], /^works$/],
    ['all but the dangerous ones, and INFO', ['+@all', '-@dangerous', '+info'], /^works$/],
    ['all but the dangerous ones', ['+@all', '-@dangerous'], /may not do .* \(info\)/],
    ['those that read', ['+@read', '+info'], /may not do .* \(set\)/],
  ])('the probe says of one that may use %s whether it works', async (name, rights, said) => {
    expect(await probed(name.replaceAll(/\W/g, ''), rights)).toMatch(said);
  });
});

describe('a ping by URL', () => {
  it.each<[string, (host: string, port: number) => string]>([
    ['a server that refuses the password', (host) => `redis://:not-this-one@${host}`],
    ['a server that wants a password', (host) => `redis://${host}`],
    ['a port on which nothing listens', (_, port) => `redis://127.0.0.1:${port}`],
    ['a socket that does not exist', () => 'redis://:x@%2Fnone%2Fredis.sock/0'],
  ])('gets no answer from %s', async (_, urlOf) => {
    expect(await redisAnswers(urlOf(server.host, await freePort()))).toBe(false);
  });

  it('gets an answer with the password, but not from a server that does not reply in time', async () => {
    expect(await redisAnswers(server.url)).toBe(true);
    await redis.call('CLIENT', 'PAUSE', '5000', 'ALL');
    expect(await redisAnswers(server.url)).toBe(false);
  });
});

describe('a server that became a replica', () => {
  const idOf = (one: Redis) => one.client('ID');

  it.each([
    ['a command', () => redis.set('x', '1')],
    ['a script', () => redis.eval("return redis.call('SET', KEYS[1], '1')", 1, 'x')],
    ['a transaction', () => redis.multi().set('x', '1').exec()],
    ['the probe of its health', () => pingRedis(redis)],
  ])('closes all connections when it refuses %s, and the next ones write', async (_, refused) => {
    const [reading, subscribed] = [duplicateForBlocking(redis), duplicateForBlocking(redis)];
    const all = [redis, reading, subscribed];
    const before = await Promise.all(all.map(idOf));
    await subscribed.subscribe('news');
    const admin = openRedis(server.url, { mode: 'patient' });
    await admin.call('REPLICAOF', '127.0.0.1', '1');
    await expect(refused()).rejects.toThrow();
    await admin.call('REPLICAOF', 'NO', 'ONE');
    const heard = new Promise((resolve) =>
      subscribed.once('message', (_channel, text) => resolve(text)),
    );
    await expect.poll(() => admin.publish('news', 'again')).toBe(1);
    expect(await heard).toBe('again');
    await redisReady(redis);
    await redis.set('x', '2');
    await subscribed.unsubscribe('news');
    const after = await Promise.all(all.map(idOf));
    expect(after.filter((id) => before.includes(id))).toEqual([]);
    for (const one of [...all, admin]) one.disconnect();
  });

  it('is said to be one by the health check', async () => {
    await redis.call('REPLICAOF', '127.0.0.1', '1');
    await expect(pingRedis(redis)).rejects.toMatchObject({
      code: 'REDIS_UNAVAILABLE',
      message: expect.stringContaining('it is a replica, which takes no writes'),
    });
  });
});

describe('F12: a server that refuses to write', () => {
  const full = {
    async disk() {
      // Without its directory it cannot save, like on a full disk, and returns the same error.
      const [, dir = ''] = (await redis.config('GET', 'dir')) as string[];
      await rm(dir, { recursive: true });
      await redis.config('SET', 'save', '3600 1');
      await redis.set('x', '1');
      await redis.bgsave();
      await expect.poll(() => redis.info('persistence')).toContain('rdb_last_bgsave_status:err');
    },
    memory: () => redis.config('SET', 'maxmemory', '1'),
  };

  it.each([
    ['disk', 'DISK_FULL', 'the disk is full: Redis can not save what is written to it'],
    ['memory', 'REDIS_FULL', 'Redis has no memory left (maxmemory)'],
  ] as const)(
    'because its %s is full returns an error with the reason: %s',
    async (what, code, message) => {
      await full[what]();
      const writes = [
        () => redis.set('x', '2'),
        () => redis.eval("redis.call('SET', 'x', '3')", 0),
      ];
      for (const write of writes)
        await expect(withRedis('REDIS_UNAVAILABLE', write)).rejects.toMatchObject({
          kind: 'unavailable',
          code,
          message,
        });
      expect(await withRedis('REDIS_UNAVAILABLE', () => redis.exists('nothing'))).toBe(0);
      // Otherwise it would keep trying to save before it exits.
      await redis.config('SET', 'save', '');
    },
  );
});

describe('heartbeats', () => {
  it('list live processes, with details of the last beat, until they stop or their beats end', async () => {
    let beats = 0;
    const detail = () => ({ beats: ++beats });
    const api = heartbeat(redis, {
      name: 'api',
      instance: 'a1',
      version: '1.2.3',
      detail,
      intervalMs: 500,
    });
    const worker = heartbeat(redis, {
      name: 'worker',
      instance: 'w1',
      version: '1.2.3',
      intervalMs: 500,
    });
    expect(await lastBeat(redis, 'worker')).toBeNull();
    await worker.start?.();
    await api.start?.();
    expect((await listHeartbeats(redis)).map(({ name }) => name)).toEqual(['api', 'worker']);
    await expect
      .poll(async () => (await listHeartbeats(redis))[0]?.detail.beats)
      .toBeGreaterThan(2);
    await worker.stop?.();
    expect(await lastBeat(redis, 'worker')).toBeInstanceOf(Date);
    expect(await listHeartbeats(redis)).toMatchObject([
      { name: 'api', instance: 'a1', version: '1.2.3' },
    ]);
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
