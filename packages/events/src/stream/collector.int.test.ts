/**
 * Features for collectors: exclusive reading, batching over time, a start position, and log lines.
 */

import { randomUUID } from 'node:crypto';
import { createLogger, logTap, NOT_FORWARDED, openRedis, type Redis } from '@portcullis/runtime';
import { past, slowness, startRedis, type TestServer } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AuditConsumer,
  type AuditEvent,
  type ConsumeOptions,
  consume,
  consumeLogs,
  dropGroup,
  forwardLogs,
  LOG_STREAM,
  listGroups,
  publish,
} from '../index.ts';

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

const event = (name: string) => sampleEvent({ id: randomUUID(), event: name });

async function publishAll(...names: string[]): Promise<void> {
  for (const name of names) await publish(redis, event(name));
}

function start(
  handler: (names: string[]) => Promise<void> | void,
  options: Partial<ConsumeOptions> = {},
) {
  const taking = async (events: AuditEvent[]) => handler(events.map((one) => one.event));
  const consumer = consume(redis, 'g', taking, { consumer: 'a', ...options });
  consumers.push(consumer);
  return consumer;
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `e${i}`);

describe('an exclusive group', () => {
  it('delivers events in order, whatever the number of consumers', async () => {
    const got: string[] = [];
    for (const consumer of ['a', 'b', 'c'])
      start(
        async (names) => {
          await slowness(got.length % 5);
          got.push(...names);
        },
        { consumer, exclusive: true, batch: 3 },
      );
    await publishAll(...numbered(60));
    await expect.poll(() => got.length).toBe(60);
    expect(got).toEqual(numbered(60));
  });

  it('continues with another consumer when one stops, at once and without a loss', async () => {
    const got: string[] = [];
    const failed = vi.fn(() => Promise.reject(new Error('down')));
    const first = start(failed, { exclusive: true });
    await publishAll('x', 'y');
    await expect.poll(async () => (await listGroups(redis))[0]?.pending).toBe(2);
    start((names) => void got.push(...names), { consumer: 'b', exclusive: true });
    const tries = failed.mock.calls.length;
    await expect.poll(() => failed.mock.calls.length).toBeGreaterThan(tries + 1);
    expect(got).toEqual([]);
    await first.stop();
    await publishAll('z');
    await expect.poll(() => got).toEqual(['x', 'y', 'z']);
  });

  it('continues with another consumer within seconds when one dies', async () => {
    await redis.set('portcullis:audit:turn:g', 'dead', 'PX', 4_000);
    await redis.xgroup('CREATE', 'portcullis:audit', 'g', '0', 'MKSTREAM');
    await publishAll('x', 'y');
    await redis.xreadgroup('GROUP', 'g', 'dead', 'STREAMS', 'portcullis:audit', '>');
    const got: string[] = [];
    start((names) => void got.push(...names), { exclusive: true });
    await publishAll('z');
    await expect.poll(() => got).toEqual(['x', 'y', 'z']);
  });
});

it('events within a short time are delivered together', async () => {
  const batches: string[][] = [];
  start((names) => void batches.push(names), { gatherMs: 1_500 });
  await publishAll('a');
  await expect.poll(async () => (await listGroups(redis))[0]?.pending).toBe(1);
  await publishAll('b', 'c');
  await expect.poll(() => batches).toEqual([['a', 'b', 'c']]);
  await publishAll('d');
  await expect.poll(() => batches).toEqual([['a', 'b', 'c'], ['d']]);
});

describe('a group with a start position', () => {
  it('does not receive earlier events, even if its position was before them', async () => {
    const got: string[] = [];
    const early = start((names) => void got.push(...names));
    await publishAll('a');
    await expect.poll(() => got).toEqual(['a']);
    await early.stop();
    await publishAll('while it was off');
    await past(new Date());
    const since = Date.now();
    await publishAll('b');
    const again = start((names) => void got.push(...names), { since });
    await expect.poll(() => got).toEqual(['a', 'b']);
    await again.stop();
    await publishAll('while it was down');
    start((names) => void got.push(...names), { since });
    await expect.poll(() => got).toEqual(['a', 'b', 'while it was down']);
  });

  it('that was removed no longer exists', async () => {
    await publishAll('a');
    start(() => {});
    await expect
      .poll(async () => (await listGroups(redis))[0])
      .toMatchObject({ pending: 0, lag: 0 });
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await dropGroup(redis, 'g');
    expect(await listGroups(redis)).toEqual([]);
  });
});

describe('log lines', () => {
  it('reach their subscriber while forwarding is enabled, except those about the forwarding', async () => {
    const tap = logTap();
    const written: string[] = [];
    const log = createLogger({
      name: 'x',
      tap,
      destination: { write: (line) => void written.push(line) },
    });
    let wanted = false;
    const forwarding = forwardLogs({ redis, tap, wanted: () => wanted });
    await forwarding.start?.();
    log.info('before');
    wanted = true;
    log.info({ password: 'secret' }, 'one');
    log.child(NOT_FORWARDED).warn('the collector is down');
    log.warn('two');
    const got: Record<string, unknown>[] = [];
    const take = async (lines: Record<string, unknown>[]) => void got.push(...lines);
    consumers.push(consumeLogs(redis, 'g', take, { consumer: 'a' }));
    await expect
      .poll(() => got.map(({ msg, level }) => [msg, level]))
      .toEqual([
        ['one', 'info'],
        ['two', 'warn'],
      ]);
    expect(got[0]?.password).toBe('[removed]');
    wanted = false;
    log.info('after');
    await forwarding.stop?.();
    expect(await redis.xlen(LOG_STREAM)).toBe(2);
    expect(written).toHaveLength(5);
  });

  it('never wait for Redis: a hundred thousand are written while it is unreachable', async () => {
    const own = await startRedis();
    const away = openRedis(own.url, { mode: 'patient' });
    const tap = logTap();
    const forwarding = forwardLogs({ redis: away, tap, wanted: () => true });
    await forwarding.start?.();
    await own.stop();
    const waits = Array.from({ length: 100_000 }, () => tap.write('{"msg":"x"}'));
    // Each returned within the same turn, in which Redis can not answer.
    expect(waits.filter((wait) => wait !== undefined)).toEqual([]);
    await forwarding.stop?.();
    away.disconnect();
  });
});
