import { type Redis, withRedis } from '@portcullis/runtime';
import { AUDIT_CEILING, AUDIT_STREAM } from '../audit/audit-stream.ts';
import { earliest, type StreamId } from './stream-id.ts';
import { firstUnread } from './unread.ts';

export interface TrimOptions {
  /** `AUDIT_MAX_EVENTS`. */
  maxEvents: number;
  /** Beyond it events are dropped though a group lacks them; default ten times `maxEvents`, below `AUDIT_CEILING`. */
  ceiling?: number | undefined;
  /** The enabled ones. A group that never read anything holds everything back. */
  groups: readonly string[];
}

export interface TrimResult {
  length: number;
  trimmed: number;
  /** Events dropped because the ceiling was reached: an alarm. */
  lost: number;
}

/** How many entries are looked at in one go: Redis serves nobody else meanwhile. */
const STEP = 1_000;

/** The id of the first entry that stays when `ARGV[1]` of them go. */
const FIRST_KEPT = `
  local entries = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[1] + 1)
  return entries[#entries] and entries[#entries][1] or false`;

/** Shortens the stream to `maxEvents`, but never past what every group of `groups` has acknowledged, up to the ceiling. */
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
