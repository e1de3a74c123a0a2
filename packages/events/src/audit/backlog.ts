/** What a group has not taken yet, newest first: a reader of the archive shows it as well. */
import { type Redis, withRedis } from '@portcullis/runtime';
import { type StreamId, timeOf } from '../stream/stream-id.ts';
import { firstUnread } from '../stream/unread.ts';
import type { AuditEvent } from './audit-event.ts';
import { AUDIT_STREAM, parseEntry } from './audit-stream.ts';

export interface BacklogOptions {
  group: string;
  /** Looked for; all that is passed over counts as looked at. */
  wanted(event: AuditEvent): boolean;
  /** Milliseconds in the stream's time: where the reader is. Null: at the newest. */
  before: number | null;
}

export interface Backlog {
  events: AuditEvent[];
  /** How far back was looked, in the stream's time; null: to the first event that the group has not taken. */
  reached: number | null;
}

const STEP = 1_000;
const LOOKED_AT = 3_000;
/** An event's own time is that of its making, the stream's that of its arrival. */
const LATE_MS = 60_000;

/**
 * May hold events that the group has taken by now, or out of their turn.
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
      // What is newer than the reader's place was no progress.
      if (before === null || timeOf(oldest) < before) looked += STEP;
      if (looked >= LOOKED_AT) return { events, reached: timeOf(oldest) };
      from = `(${oldest}`;
    }
  });
}
