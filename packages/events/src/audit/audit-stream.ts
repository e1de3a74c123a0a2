/** The audit log in Redis: a stream of entries with one field, `e`, the event as JSON. */

import type { AuditEvent } from '@portcullis/domain';
import { type Redis, withRedis } from '@portcullis/runtime';

export const AUDIT_STREAM = 'portcullis:audit';
/** Upper bound of the stream's length, whether or not groups have read it; see `trim`. */
export const AUDIT_CEILING = 100_000;
const RECENT = 200;

/**
 * The event is on the stream when the promise resolves. `trim` shortens the stream by what was
 * read; here only the upper bound applies.
 * @throws unavailable `EVENTS_UNAVAILABLE`
 */
export async function publish(
  redis: Redis,
  event: AuditEvent,
  { ceiling = AUDIT_CEILING }: { ceiling?: number } = {},
): Promise<void> {
  const text = JSON.stringify(event);
  await withRedis('EVENTS_UNAVAILABLE', () =>
    redis.xadd(AUDIT_STREAM, 'MAXLEN', '~', ceiling, '*', 'e', text),
  );
}

/** Newest first. @throws unavailable `EVENTS_UNAVAILABLE` */
export async function recent(redis: Redis, limit = RECENT): Promise<AuditEvent[]> {
  const entries = await withRedis('EVENTS_UNAVAILABLE', () =>
    redis.xrevrange(AUDIT_STREAM, '+', '-', 'COUNT', limit),
  );
  return entries.map(parseEntry).map(({ event }) => event);
}

/** Milliseconds by the clock of the stream's ids. @throws unavailable `EVENTS_UNAVAILABLE` */
export async function streamTime(redis: Redis): Promise<number> {
  const [seconds, micros] = await withRedis('EVENTS_UNAVAILABLE', () => redis.time());
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/** A reply of Redis; fields are null for an entry that was trimmed while a group held it. */
export type RawEntry = [id: string, fields: string[] | null];

export interface StreamEntry {
  id: string;
  event: AuditEvent;
}

export function parseEntry([id, fields]: RawEntry): StreamEntry {
  return { id, event: JSON.parse(fields?.[1] ?? 'null') };
}

/** Entries of the one stream in a reply to XREAD or XREADGROUP. */
export function entriesOf(reply: unknown): RawEntry[] {
  const streams = (reply ?? []) as [key: string, entries: RawEntry[]][];
  return streams[0]?.[1] ?? [];
}
