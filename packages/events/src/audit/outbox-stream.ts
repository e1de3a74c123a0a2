/**
 * Publishes the outbox to the audit stream, each event once, also when a publisher dies before it
 * records that.
 */
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@portcullis/domain';
import { type Redis, withRedis } from '@portcullis/runtime';
import { AUDIT_CEILING, AUDIT_STREAM } from './audit-stream.ts';

/**
 * Id of the stream's content. A Redis that lost its data gets a new id, and missing events are
 * published again.
 */
const NAME = `${AUDIT_STREAM}:name`;
/** Marks of published events are kept longer than a publisher needs to record them. */
const ONCE = `${AUDIT_STREAM}:once:`;
const ONCE_SECONDS = 3_600;

const NAMED = `
  local name = redis.call('GET', KEYS[1])
  if not name then
    name = ARGV[1]
    redis.call('SET', KEYS[1], name)
  end`;

/** The mark follows the event: a fault in between may duplicate an event, but not lose it. */
const APPEND = `${NAMED}
  for n = 3, #KEYS do
    if redis.call('EXISTS', KEYS[n]) == 0 then
      redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'e', ARGV[n + 1])
      redis.call('SET', KEYS[n], '1', 'EX', ARGV[3])
    end
  end
  return name`;

/** The current id of the stream. @throws unavailable `EVENTS_UNAVAILABLE` */
export async function streamName(redis: Redis): Promise<string> {
  const script = `${NAMED} return name`;
  return String(
    await withRedis('EVENTS_UNAVAILABLE', () => redis.eval(script, 1, NAME, randomUUID())),
  );
}

/** Publishes missing events in this order and returns the id of the stream. @throws unavailable */
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
