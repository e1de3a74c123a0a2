/** What a group has not taken yet, for readers of the archive and for the lag. */

import { randomUUID } from 'node:crypto';
import { openRedis, type Redis } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEvent, backlog, consume, groupLags, publish } from '../index.ts';

let server: TestServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushall());

function event(name: string): AuditEvent {
  return sampleEvent({ id: randomUUID(), at: new Date().toISOString(), event: name });
}

async function taken(...names: string[]): Promise<void> {
  const seen: string[] = [];
  const reader = consume(
    redis,
    'archive',
    async (events) => {
      if (events.some(({ event: name }) => !names.includes(name))) throw new Error('held back');
      seen.push(...events.map(({ event: name }) => name));
    },
    { consumer: 'one', batch: 1 },
  );
  await expect.poll(() => seen).toEqual(names);
  await expect
    .poll(async () => (await redis.xinfo('GROUPS', 'portcullis:audit')) as unknown[])
    .toHaveLength(1);
  await reader.stop();
}

async function waiting(wanted = (_: AuditEvent) => true): Promise<string[]> {
  const { events } = await backlog(redis, { group: 'archive', wanted, before: null });
  return events.map(({ event: name }) => name);
}

describe('the events that the archive does not have yet', () => {
  it('are the whole stream before the first read, newest first', async () => {
    for (const name of ['a', 'b', 'c']) await publish(redis, event(name));
    expect(await waiting()).toEqual(['c', 'b', 'a']);
    expect(await waiting(({ event: name }) => name === 'b')).toEqual(['b']);
  });

  it('are those after the last acknowledged event, delivered or not', async () => {
    await publish(redis, event('a'));
    await taken('a');
    for (const name of ['b', 'c']) await publish(redis, event(name));
    await redis.xreadgroup(
      'GROUP',
      'archive',
      'dead',
      'COUNT',
      1,
      'STREAMS',
      'portcullis:audit',
      '>',
    );
    expect(await waiting()).toEqual(['c', 'b']);
  });

  it('are read in bounded steps, each of which makes progress', async () => {
    const pipeline = redis.pipeline();
    const start = Date.UTC(2026, 0, 1);
    for (let i = 0; i < 7_500; i++)
      pipeline.xadd('portcullis:audit', `${start + i}-0`, 'e', JSON.stringify(event(`e${i}`)));
    await pipeline.exec();
    const found: string[] = [];
    let before: number | null = null;
    let steps = 0;
    do {
      // As readers of the archive do: newer events were seen already.
      const limit: number = before ?? Number.POSITIVE_INFINITY;
      const wanted = ({ event: name }: AuditEvent) => start + Number(name.slice(1)) < limit;
      const { events, reached } = await backlog(redis, { group: 'archive', wanted, before });
      const fresh = events.filter(
        ({ event: name }) => start + Number(name.slice(1)) >= (reached ?? 0),
      );
      found.push(...fresh.map(({ event: name }) => name));
      expect(reached ?? 0).toBeLessThan(limit);
      before = reached;
      steps += 1;
    } while (before !== null);
    expect(steps).toBeGreaterThan(1);
    expect(found).toEqual(Array.from({ length: 7_500 }, (_, n) => `e${7_499 - n}`));
  });
});

describe('the lag of a group', () => {
  it('is the number of unacknowledged events and the age of the oldest', async () => {
    expect(await groupLags(redis, ['archive'])).toEqual([
      { group: 'archive', waiting: 0, oldestAgeMs: null },
    ]);
    await publish(redis, event('a'));
    await taken('a');
    await redis.xadd('portcullis:audit', `${Date.now() + 1}-0`, 'e', JSON.stringify(event('b')));
    await publish(redis, event('c'));
    const [archive, email] = await groupLags(redis, ['archive', 'email']);
    expect(archive).toMatchObject({ group: 'archive', waiting: 2 });
    // Milliseconds since its entry, not since 1970.
    expect(archive?.oldestAgeMs).toBeLessThan(86_400_000);
    expect(email).toMatchObject({ group: 'email', waiting: 3 });
  });
});
