/** What changed in the standings of images that the caller may pull. */
import { foldersWith, type Principal } from '@portcullis/domain';
import type { PageOptions, Store } from '@portcullis/store';

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
  ) {
    const since = given === undefined ? new Date(now().getTime() - DAY_MS) : new Date(given);
    const folders = isAdmin ? 'all' : foldersWith(grants, 'pull');
    const found = await standings.changes({ folders, since, ...page });
    const items = found.items.map((item) => ({
      ...item,
      blocking: item.blocking.slice(0, MOST_NAMED),
      blockingTotal: item.blocking.length,
    }));
    return { ...found, since, items };
  };
}
