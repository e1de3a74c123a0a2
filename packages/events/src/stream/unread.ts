import type { Redis } from '@portcullis/runtime';
import { AUDIT_STREAM } from '../audit/audit-stream.ts';
import { listGroups } from './group.ts';
import { earliest, following, type StreamId } from './stream-id.ts';

/** The first entry that any group has not acknowledged; null where there are no groups. */
export async function firstUnread(
  redis: Redis,
  groups: readonly string[],
): Promise<StreamId | null> {
  if (groups.length === 0) return null;
  const delivered = await lastDelivered(redis);
  const positions = groups.map(async (group) => {
    const last = delivered.get(group);
    return last === undefined ? '0-0' : ((await oldestPending(redis, group)) ?? following(last));
  });
  return earliest(await Promise.all(positions));
}

async function oldestPending(redis: Redis, group: string): Promise<StreamId | null> {
  const [, first] = (await redis.xpending(AUDIT_STREAM, group)) as [number, StreamId | null];
  return first;
}

async function lastDelivered(redis: Redis): Promise<Map<string, StreamId>> {
  const groups = await listGroups(redis);
  return new Map(groups.map(({ name, lastDelivered: id }) => [name, id]));
}
