import { randomUUID } from 'node:crypto';
import { openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AuditConsumer,
  type AuditEvent,
  type ConsumeOptions,
  consume,
  type ProgressEvent,
  publish,
  publishProgress,
  recent,
  subscribeProgress,
  trim,
} from './index.ts';

let server: TestServer;
let redis: Redis;
let consumers: AuditConsumer[];

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(async () => {
  consumers = [];
  await redis.flushall();
});

afterEach(() => Promise.all(consumers.map((consumer) => consumer.stop())));

function event(name: string): AuditEvent {
  const resource = { kind: 'job', id: null, name: 'x\r\ny', folder: 'team' };
  return sampleEvent({ id: randomUUID(), event: name, resource });
}

async function publishAll(...names: string[]): Promise<void> {
  for (const name of names) await publish(redis, event(name));
}

function numbered(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, i) => `e${i + from}`);
}

function start(
  group: string,
  handler: (names: string[]) => Promise<void>,
  more: Partial<ConsumeOptions> = {},
) {
  const byName = (events: AuditEvent[]) => handler(events.map((one) => one.event));
  const consumer = consume(redis, group, byName, { consumer: 'c1', ...more });
  consumers.push(consumer);
  return consumer;
}

describe('the audit stream', () => {
  it('returns the latest events unchanged, newest first', async () => {
    const events = [event('login'), event('pull'), event('push')];
    for (const one of events) await publish(redis, one);
    expect(await recent(redis, 2)).toEqual([events[2], events[1]]);
    expect(await recent(redis)).toHaveLength(3);
  });

  it('is unavailable without Redis', async () => {
    const own = await startRedis();
    const fast = openRedis(own.url, { mode: 'fail-fast' });
    await redisReady(fast);
    await own.stop();
    const refusal = { kind: 'unavailable', code: 'EVENTS_UNAVAILABLE' };
    await expect(publish(fast, event('x'))).rejects.toMatchObject(refusal);
    await expect(recent(fast)).rejects.toMatchObject(refusal);
    fast.disconnect();
  });
});

describe('a consumer group', () => {
  it('reads all events, including those before it was created, each group separately', async () => {
    await publishAll('a', 'b');
    const email: string[] = [];
    const syslog: string[] = [];
    const abc = ['a', 'b', 'c'];
    start('email', async (names) => void email.push(...names));
    start('syslog', async (names) => void syslog.push(...names));
    await publishAll('c');
    await expect.poll(() => [email, syslog]).toEqual([abc, abc]);
  });

  it('repeats events, in order and before newer ones, until the handler succeeds', async () => {
    let down = true;
    const taken: string[] = [];
    const tries = vi.fn();
    start('email', async (names) => {
      tries();
      if (down) throw new Error('collector is down');
      taken.push(...names);
    });
    await publishAll('a', 'b');
    await expect.poll(() => tries.mock.calls.length).toBeGreaterThan(1);
    await publishAll('c');
    down = false;
    await expect.poll(() => taken).toEqual(['a', 'b', 'c']);
  });

  it('claims entries of a dead consumer, but not those of a slow one', async () => {
    await publishAll('a', 'b', 'c');
    await redis.xgroup('CREATE', 'portcullis:audit', 'email', '0');
    const readByDead = () =>
      redis.xreadgroup('GROUP', 'email', 'dead', 'COUNT', 1, 'STREAMS', 'portcullis:audit', '>');
    await readByDead();
    const slow: string[] = [];
    const begun = vi.fn();
    const held = Promise.withResolvers<void>();
    const take = async (names: string[]) => {
      begun();
      await held.promise;
      slow.push(...names);
    };
    // Long enough for the slow one to renew what it holds, also after a pause of this process.
    start('email', take, { claimAfterMs: 2_500, batch: 1 });
    await expect.poll(() => begun).toHaveBeenCalledOnce();
    await readByDead();
    const other: string[] = [];
    start('email', async (names) => void other.push(...names), {
      consumer: 'c2',
      claimAfterMs: 2_500,
    });
    // The dead consumer read `c` after the slow one had read `b`.
    await expect.poll(() => other).toEqual(['a', 'c']);
    await publishAll('d');
    await expect.poll(() => other).toEqual(['a', 'c', 'd']);
    held.resolve();
    await expect.poll(() => slow).toEqual(['b']);
    await expect
      .poll(() => redis.xpending('portcullis:audit', 'email'))
      .toEqual([0, null, null, null]);
  });

  it('a stop waits for the handler; unacknowledged entries are read at the next start', async () => {
    await publishAll('a');
    const begun = vi.fn();
    const finished = vi.fn();
    const held = Promise.withResolvers<void>();
    const first = start('email', async () => {
      begun();
      await held.promise;
      finished();
    });
    await expect.poll(() => begun).toHaveBeenCalled();
    const stopped = first.stop();
    held.resolve();
    await stopped;
    expect(finished).toHaveBeenCalledOnce();

    await publishAll('b');
    const failed = vi.fn(() => Promise.reject(new Error('no')));
    const failing = start('email', failed);
    await expect.poll(() => failed).toHaveBeenCalled();
    await failing.stop();
    const taken: string[] = [];
    start('email', async (names) => void taken.push(...names));
    await expect.poll(() => taken).toEqual(['b']);
  });

  it('continues after the stream was lost', async () => {
    const taken: string[] = [];
    start('email', async (names) => void taken.push(...names));
    await publishAll('a');
    await expect.poll(() => taken).toEqual(['a']);
    await redis.flushall();
    await publishAll('b');
    await expect.poll(() => taken).toEqual(['a', 'b']);
  });
});

describe('trim', () => {
  async function readAll(group: string): Promise<void> {
    const seen: string[] = [];
    const length = await redis.xlen('portcullis:audit');
    const consumer = start(group, async (names) => void seen.push(...names));
    await expect.poll(() => seen).toHaveLength(length);
    await consumer.stop();
  }

  it('keeps the newest events where all groups have read everything', async () => {
    await publishAll(...numbered(30));
    await readAll('email');
    await readAll('syslog');
    const result = await trim(redis, { maxEvents: 10, groups: ['email', 'syslog'] });
    expect(result).toEqual({ length: 10, trimmed: 20, lost: 0 });
    expect((await recent(redis)).at(-1)?.event).toBe('e20');
    expect(await trim(redis, { maxEvents: 10, groups: ['email', 'syslog'] })).toMatchObject({
      trimmed: 0,
    });
  });

  it('stops at the first entry that a group has not read or acknowledged', async () => {
    await publishAll(...numbered(10));
    await readAll('email');
    await publishAll(...numbered(20, 10));
    await redis.xreadgroup('GROUP', 'email', 'c1', 'COUNT', 5, 'STREAMS', 'portcullis:audit', '>');
    expect(await trim(redis, { maxEvents: 5, groups: ['email'] })).toEqual({
      length: 20,
      trimmed: 10,
      lost: 0,
    });
    expect((await recent(redis)).at(-1)?.event).toBe('e10');
  });

  it('an enabled group that never read keeps all events; a disabled one keeps none', async () => {
    await publishAll(...numbered(20));
    expect(await trim(redis, { maxEvents: 5, groups: ['syslog'] })).toMatchObject({
      length: 20,
      trimmed: 0,
    });
    await redis.xgroup('CREATE', 'portcullis:audit', 'email', '0');
    expect(await trim(redis, { maxEvents: 5, groups: [] })).toMatchObject({
      length: 5,
      trimmed: 15,
    });
  });

  it('drops unread events only beyond the upper bound, and returns their number', async () => {
    await publishAll(...numbered(40));
    expect(await trim(redis, { maxEvents: 5, ceiling: 30, groups: ['email'] })).toEqual({
      length: 30,
      trimmed: 0,
      lost: 10,
    });
  });

  it('trims a long stream in steps, and does nothing on an empty one', async () => {
    expect(await trim(redis, { maxEvents: 5, groups: ['email'] })).toEqual({
      length: 0,
      trimmed: 0,
      lost: 0,
    });
    await Promise.all(numbered(2_500).map((name) => publish(redis, event(name))));
    expect(await trim(redis, { maxEvents: 5, groups: [] })).toEqual({
      length: 5,
      trimmed: 2_495,
      lost: 0,
    });
  });
});

describe('the progress channel', () => {
  function message(n: number) {
    return { jobId: `j${n}`, ownerId: 'ada', kind: 'progress', data: { n } } as const;
  }

  function watch(since?: string | null) {
    const end = new AbortController();
    const seen: ProgressEvent[] = [];
    const over = (async () => {
      for await (const one of subscribeProgress(redis, { since, signal: end.signal }))
        seen.push(one);
    })();
    const stop = () => {
      end.abort();
      return over;
    };
    return { seen, numbers: () => seen.map(({ data }) => data.n), stop };
  }

  async function progressReaders(): Promise<number> {
    return String(await redis.client('LIST')).match(/cmd=xread\b/g)?.length ?? 0;
  }

  // Events of one test must not reach the next.
  afterEach(() => expect.poll(progressReaders).toBe(0));

  it('sends new events to all subscribers over one connection that ends with the last of them', async () => {
    await publishProgress(redis, message(0));
    const watchers = [watch(), watch(), watch()];
    await expect.poll(() => progressReaders()).toBe(1);
    for (const n of [1, 2, 3]) await publishProgress(redis, message(n));
    for (const one of watchers) await expect.poll(() => one.numbers()).toEqual([1, 2, 3]);
    await Promise.all(watchers.map((one) => one.stop()));
    await expect.poll(() => progressReaders()).toBe(0);
  });

  it('resumes after the last received event, without gaps or duplicates', async () => {
    const first = watch('0-0');
    for (let n = 0; n < 5; n++) await publishProgress(redis, message(n));
    await expect.poll(() => first.seen).toHaveLength(5);
    const since = first.seen[1]?.id;
    const writing = (async () => {
      for (let n = 5; n < 1_200; n++) await publishProgress(redis, message(n));
    })();
    const second = watch(since);
    await writing;
    await expect.poll(() => second.seen).toHaveLength(1_198);
    expect(second.numbers()).toEqual(Array.from({ length: 1_198 }, (_, i) => i + 2));
    await Promise.all([first.stop(), second.stop()]);
  });

  it.each([
    ['an invalid id', '$; FLUSHALL'],
    ['an id of a clock that was ahead', `${Date.now() + 3_600_000}-0`],
    ['the largest id', '9999999999999999-9999999999999999'],
  ])('starts at the newest event for %s', async (_, since) => {
    await publishProgress(redis, message(0));
    const one = watch(since);
    await expect.poll(() => progressReaders()).toBe(1);
    await publishProgress(redis, message(1));
    await expect.poll(() => one.numbers()).toEqual([1]);
    await one.stop();
  });

  it('starts now where Redis has lost the stream of the id', async () => {
    const one = watch(`${Date.now() + 3_600_000}-0`);
    await expect.poll(() => progressReaders()).toBe(1);
    await publishProgress(redis, message(1));
    await expect.poll(() => one.numbers()).toEqual([1]);
    await one.stop();
  });
});
