/** What changed in the standings of images that the caller may pull. */
import type { GateChanges } from '@portcullis/contract';
import { foldersWith, type Principal } from '@portcullis/domain';
import type { PageOptions, Store } from '@portcullis/store';
import type { PageInfo } from '../../http/paging.ts';

export interface GateChangesPorts {
  standings: Pick<Store['standings'], 'changes'>;
  now(): Date;
}

const DAY_MS = 86_400_000;
const MOST_NAMED = 20;

export function createGateChanges({ standings, now }: GateChangesPorts) {
  return async function changes(
    { isAdmin, grants }: Principal,
    { since: given, ...page }: { since?: string | undefined } & PageOptions,
  ): Promise<GateChanges & PageInfo> {
    const since = given === undefined ? new Date(now().getTime() - DAY_MS) : new Date(given);
    const folders = isAdmin ? 'all' : foldersWith(grants, 'pull');
    const found = await standings.changes({ folders, since, ...page });
    const { items, blocked, cleared, vulnerabilities, nextCursor, total } = found;
    return {
      nextCursor,
      total,
      since: since.toISOString(),
      blocked,
      cleared,
      items: items.map(({ blocking, changedAt, graceUntil, ...item }) => ({
        ...item,
        blocking: blocking.slice(0, MOST_NAMED),
        blocking_total: blocking.length,
        grace_until: graceUntil?.toISOString() ?? null,
        changed_at: changedAt.toISOString(),
      })),
      vulnerabilities: vulnerabilities.map(({ firstSeenAt, ...each }) => ({
        ...each,
        first_seen_at: firstSeenAt.toISOString(),
      })),
    };
  };
}
