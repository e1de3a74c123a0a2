/** The events that the archive has not taken yet: what a backup would lack without them. */
import { type Redis, withRedis } from '@portcullis/runtime';
import { following, type StreamId } from '../stream/stream-id.ts';
import { firstUnread } from '../stream/unread.ts';
import type { AuditEvent } from './audit-event.ts';
import { AUDIT_STREAM, parseEntry } from './audit-stream.ts';

const STEP = 1_000;

/** Where they begin. @throws unavailable `EVENTS_UNAVAILABLE` */
export function archivedUpTo(redis: Redis): Promise<StreamId> {
  return withRedis(
    'EVENTS_UNAVAILABLE',
    async () => (await firstUnread(redis, ['archive'])) ?? '0-0',
  );
}

/** Oldest first, to the newest of now. @throws unavailable `EVENTS_UNAVAILABLE` */
export async function* eventsFrom(redis: Redis, start: StreamId): AsyncGenerator<AuditEvent> {
  for (let from = start; ; ) {
    const read = () => redis.xrange(AUDIT_STREAM, from, '+', 'COUNT', STEP);
    const entries = (await withRedis('EVENTS_UNAVAILABLE', read)).map(parseEntry);
    for (const { event } of entries) yield event;
    const last = entries.at(-1);
    if (last === undefined || entries.length < STEP) return;
    from = following(last.id);
  }
}
