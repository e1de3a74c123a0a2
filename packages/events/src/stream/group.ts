/** Consumer groups of a stream: where they begin, how far they are. */
import type { Redis } from '@portcullis/runtime';
import { AUDIT_STREAM } from '../audit/audit-stream.ts';
import { compareIds, type StreamId } from './stream-id.ts';

export interface GroupState {
  name: string;
  lastDelivered: StreamId;
  /** Given to a consumer, not acknowledged. */
  pending: number;
  /** Not given to anybody yet; null where Redis can't tell. */
  lag: number | null;
}

/** Of the audit stream, unless told otherwise; none where there is no stream. */
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

/** Redis answers with names and values in turn. */
type Pairs = (string | number | null)[];

function field(pairs: Pairs, name: string): string | number | null | undefined {
  return pairs[pairs.indexOf(name) + 1];
}

function lagOf(value: string | number | null | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

export interface GroupPlace {
  stream: string;
  group: string;
  /** Milliseconds in the stream's time; null: with all there is. */
  since: number | null;
}

/** Makes the group where there is none, and anew where its place is of a time before `since`. */
export async function beginGroup(
  redis: Redis,
  { stream, group, since }: GroupPlace,
): Promise<void> {
  // A group begins after the id it is given: what came in that very millisecond is to be in.
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

/** Of a collector that was switched off: nothing is kept for it, and it begins anew when it comes back. */
export async function dropGroup(redis: Redis, group: string, stream = AUDIT_STREAM): Promise<void> {
  if ((await redis.exists(stream)) === 1) await redis.xgroup('DESTROY', stream, group);
}
