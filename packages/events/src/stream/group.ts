/** Consumer groups of a stream: creation, position and state. */
import type { Redis } from '@portcullis/runtime';
import { AUDIT_STREAM } from '../audit/audit-stream.ts';
import { compareIds, type StreamId } from './stream-id.ts';

export interface GroupState {
  name: string;
  lastDelivered: StreamId;
  /** Delivered to a consumer and not acknowledged. */
  pending: number;
  /** Not delivered yet; null where Redis can't tell. */
  lag: number | null;
}

/** Groups of the audit stream by default; none where the stream doesn't exist. */
export async function listGroups(redis: Redis, stream = AUDIT_STREAM): Promise<GroupState[]> {
  if ((await redis.exists(stream)) === 0) return [];
  const groups = (await redis.xinfo('GROUPS', stream)) as Pairs[];
  return groups.map((group) => ({
    name: String(field(group, 'name')),
    lastDelivered: String(field(group, 'last-delivered-id')),
    pending: Number(field(group, 'pending')),
    lag: lagOf(field(group, 'lag')),
  }));
}

/** Redis replies with alternating names and values. */
type Pairs = (string | number | null)[];

function field(pairs: Pairs, name: string): string | number | null | undefined {
  return pairs[pairs.indexOf(name) + 1];
}

function lagOf(value: string | number | null | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

export interface GroupStart {
  stream: string;
  group: string;
  /** Start in the stream's time, in milliseconds; null: at the first entry. */
  since: number | null;
}

/** Creates the group where it doesn't exist, and again where its position is older than `since`. */
export async function beginGroup(
  redis: Redis,
  { stream, group, since }: GroupStart,
): Promise<void> {
  // A group starts after its id, so the millisecond of `since` has to be included.
  const from = since === null ? '0' : `${since - 1}-0`;
  if (await created(redis, stream, group, from)) return;
  const state = (await listGroups(redis, stream)).find(({ name }) => name === group);
  if (since === null || !state || compareIds(state.lastDelivered, from) >= 0) return;
  await redis.xgroup('DESTROY', stream, group);
  await created(redis, stream, group, from);
}

async function created(
  redis: Redis,
  stream: string,
  group: string,
  from: StreamId,
): Promise<boolean> {
  try {
    await redis.xgroup('CREATE', stream, group, from, 'MKSTREAM');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('BUSYGROUP')) return false;
    throw error;
  }
}

/** For a disabled collector: no entries are kept, and a new group is created when it is enabled. */
export async function dropGroup(redis: Redis, group: string, stream = AUDIT_STREAM): Promise<void> {
  if ((await redis.exists(stream)) === 1) await redis.xgroup('DESTROY', stream, group);
}
