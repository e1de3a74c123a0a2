import { type Redis, withRedis } from '@portcullis/runtime';
import { AUDIT_STREAM } from '../audit/audit-stream.ts';
import { listGroups } from './group.ts';
import { timeOf } from './stream-id.ts';
import { firstUnread } from './unread.ts';

/** The lag of a consumer group. */
export interface GroupLag {
  group: string;
  /** Entries that it has not acknowledged; null where Redis can't tell. */
  waiting: number | null;
  /** Age of the oldest one; null where there is none. */
  oldestAgeMs: number | null;
}

/** Also for a group that has never read. @throws unavailable `EVENTS_UNAVAILABLE` */
export function groupLags(redis: Redis, groups: readonly string[]): Promise<GroupLag[]> {
  return withRedis('EVENTS_UNAVAILABLE', async () => {
    const [known, length, now] = await Promise.all([
      listGroups(redis),
      redis.xlen(AUDIT_STREAM),
      redis.time().then(([seconds]) => Number(seconds) * 1000),
    ]);
    return Promise.all(
      groups.map(async (group) => {
        const state = known.find(({ name }) => name === group);
        const undelivered = state ? state.lag : length;
        const waiting = undelivered === null ? null : undelivered + (state?.pending ?? 0);
        return { group, waiting, oldestAgeMs: await oldestAge(redis, group, now) };
      }),
    );
  });
}

async function oldestAge(redis: Redis, group: string, now: number): Promise<number | null> {
  const from = (await firstUnread(redis, [group])) ?? '-';
  const [entry] = await redis.xrange(AUDIT_STREAM, from, '+', 'COUNT', 1);
  return entry ? Math.max(0, now - timeOf(entry[0])) : null;
}
