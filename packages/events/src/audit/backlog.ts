/**
 * The events that a group has not taken yet, newest first, which readers of the archive show as
 * well.
 */

import type { AuditEvent } from '@portcullis/domain';
import { type Redis, withRedis } from '@portcullis/runtime';
import { type StreamId, timeOf } from '../stream/stream-id.ts';
import { firstUnread } from '../stream/unread.ts';
import { AUDIT_STREAM, parseEntry } from './audit-stream.ts';

export interface BacklogOptions {
  group: string;
  /** The filter; skipped events count as read. */
  wanted(event: AuditEvent): boolean;
  /** Position of the reader in the stream's time, in milliseconds. Null: at the newest event. */
  before: number | null;
}

export interface Backlog {
  events: AuditEvent[];
  /** Oldest position that was read, in the stream's time; null: up to the group's position. */
  reached: number | null;
}

const STEP = 1_000;
const LOOKED_AT = 3_000;
/** Events have the time of their creation, the stream that of their arrival. */
const LATE_MS = 60_000;

/**
 * May contain events that the group has taken meanwhile, and events out of order.
 * @throws unavailable `EVENTS_UNAVAILABLE`
 */
export function backlog(redis: Redis, { group, wanted, before }: BacklogOptions): Promise<Backlog> {
  return withRedis('EVENTS_UNAVAILABLE', async () => {
    const end = (await firstUnread(redis, [group])) ?? '-';
    const events: AuditEvent[] = [];
    let looked = 0;
    let from: string = before === null ? '+' : String(before + LATE_MS);
    for (;;) {
      const entries = (await redis.xrevrange(AUDIT_STREAM, from, end, 'COUNT', STEP)).map(
        parseEntry,
      );
      events.push(...entries.map(({ event }) => event).filter(wanted));
      const oldest: StreamId | undefined = entries.at(-1)?.id;
      if (oldest === undefined || entries.length < STEP) return { events, reached: null };
      // Entries newer than the reader's position don't count.
      if (before === null || timeOf(oldest) < before) looked += STEP;
      if (looked >= LOOKED_AT) return { events, reached: timeOf(oldest) };
      from = `(${oldest}`;
    }
  });
}
