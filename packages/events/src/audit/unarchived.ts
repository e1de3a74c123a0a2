/** Events that the archive doesn't have yet, and that a backup would otherwise lack. */

import type { AuditEvent } from '@portcullis/domain';
import { type Redis, withRedis } from '@portcullis/runtime';
import { following, type StreamId } from '../stream/stream-id.ts';
import { firstUnread } from '../stream/unread.ts';
import { AUDIT_STREAM, parseEntry } from './audit-stream.ts';

const STEP = 1_000;

/** Id of the first one. @throws unavailable `EVENTS_UNAVAILABLE` */
export function archivedUpTo(redis: Redis): Promise<StreamId> {
  return withRedis(
    'EVENTS_UNAVAILABLE',
    async () => (await firstUnread(redis, ['archive'])) ?? '0-0',
  );
}

/**
 * Oldest first, up to the newest at the time of the call. @throws unavailable `EVENTS_UNAVAILABLE`
 */
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
