/** From the outbox to the audit stream: each event once, also where a publisher died before it could note that. */
import { randomUUID } from 'node:crypto';
import { type Redis, withRedis } from '@portcullis/runtime';
import type { AuditEvent } from './audit-event.ts';
import { AUDIT_CEILING, AUDIT_STREAM } from './audit-stream.ts';

/** Names the stream: a Redis that lost its data gets another name, and what it lacks is published again. */
const NAME = `${AUDIT_STREAM}:name`;
/** Kept for each published event for longer than any publisher needs to note what it did. */
const ONCE = `${AUDIT_STREAM}:once:`;
const ONCE_SECONDS = 3_600;

const NAMED = `
  local name = redis.call('GET', KEYS[1])
  if not name then
    name = ARGV[1]
    redis.call('SET', KEYS[1], name)
  end`;

/** The mark comes after the event: a fault in between may double an event, and can't lose one. */
const APPEND = `${NAMED}
  for n = 3, #KEYS do
    if redis.call('EXISTS', KEYS[n]) == 0 then
      redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'e', ARGV[n + 1])
      redis.call('SET', KEYS[n], '1', 'EX', ARGV[3])
    end
  end
  return name`;

/** The name of the stream as it is now. @throws unavailable `EVENTS_UNAVAILABLE` */
export async function streamName(redis: Redis): Promise<string> {
  const script = `${NAMED} return name`;
  return String(
    await withRedis('EVENTS_UNAVAILABLE', () => redis.eval(script, 1, NAME, randomUUID())),
  );
}

/** In this order, those that aren't there yet; the name of the stream that has them. @throws unavailable */
export async function appendOnce(redis: Redis, events: readonly AuditEvent[]): Promise<string> {
  const keys = [NAME, AUDIT_STREAM, ...events.map(({ id }) => ONCE + id)];
  const given = [
    randomUUID(),
    AUDIT_CEILING,
    ONCE_SECONDS,
    ...events.map((event) => JSON.stringify(event)),
  ];
  return String(
    await withRedis('EVENTS_UNAVAILABLE', () => redis.eval(APPEND, keys.length, ...keys, ...given)),
  );
}
