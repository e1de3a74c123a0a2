/** Trims the audit stream to what its groups still need. */
import { type Redis, withRedis } from '@portcullis/runtime';
import { AUDIT_CEILING, AUDIT_STREAM } from '../audit/audit-stream.ts';
import { earliest, type StreamId } from './stream-id.ts';
import { firstUnread } from './unread.ts';

export interface TrimOptions {
  /** `AUDIT_MAX_EVENTS`. */
  maxEvents: number;
  /**
   * Upper bound beyond which unread events are dropped; default ten times `maxEvents`, below
   * `AUDIT_CEILING`.
   */
  ceiling?: number | undefined;
  /** The enabled groups. One that has never read keeps all events. */
  groups: readonly string[];
}

export interface TrimResult {
  length: number;
  trimmed: number;
  /** Unread events that were dropped, which is worth an alarm. */
  lost: number;
}

/** Entries per call of the script, because Redis serves no other client meanwhile. */
const STEP = 1_000;

/** Id of the first entry that remains after removing `ARGV[1]` entries. */
const FIRST_KEPT = `
  local entries = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[1] + 1)
  return entries[#entries] and entries[#entries][1] or false`;

/**
 * Trims the stream to `maxEvents`, but keeps what a group has not acknowledged, up to the upper
 * bound.
 */
export function trim(
  redis: Redis,
  { maxEvents, groups, ceiling }: TrimOptions,
): Promise<TrimResult> {
  const hardLimit = ceiling ?? Math.max(maxEvents, Math.min(10 * maxEvents, 0.9 * AUDIT_CEILING));
  return withRedis('EVENTS_UNAVAILABLE', async () => {
    const trimmed = await trimRead(redis, maxEvents, await firstUnread(redis, groups));
    const lost = await redis.xtrim(AUDIT_STREAM, 'MAXLEN', Math.max(hardLimit, maxEvents));
    return { length: await redis.xlen(AUDIT_STREAM), trimmed, lost };
  });
}

async function trimRead(redis: Redis, maxEvents: number, unread: StreamId | null): Promise<number> {
  let trimmed = 0;
  for (;;) {
    const excess = (await redis.xlen(AUDIT_STREAM)) - maxEvents;
    if (excess <= 0) return trimmed;
    const kept = await redis.eval(FIRST_KEPT, 1, AUDIT_STREAM, Math.min(excess, STEP));
    const limit = earliest([String(kept), ...(unread ? [unread] : [])]);
    const gone = limit ? await redis.xtrim(AUDIT_STREAM, 'MINID', limit) : 0;
    if (gone === 0) return trimmed;
    trimmed += gone;
  }
}
