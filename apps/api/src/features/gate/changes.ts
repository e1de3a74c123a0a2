/** What changed in the standings of images that the caller may pull. */
import { foldersWith, type Principal, type ThreatFeeds } from '@portcullis/domain';
import type { PageOptions, Store } from '@portcullis/store';
import { risksOf, threatOf } from '../vulnerabilities/scores.ts';

export interface GateChangesPorts {
  standings: Pick<Store['standings'], 'changes'>;
  vulnerabilities: Pick<Store['vulnerabilities'], 'known'>;
  feeds(): ThreatFeeds;
  now(): Date;
}

const DAY_MS = 86_400_000;
const MOST_NAMED = 20;

export function createGateChanges({ standings, vulnerabilities, feeds, now }: GateChangesPorts) {
  return async function changes(
    { isAdmin, grants }: Principal,
    { since: given, ...page }: { since?: string | undefined } & PageOptions,
  ) {
    const since = given === undefined ? new Date(now().getTime() - DAY_MS) : new Date(given);
    const folders = isAdmin ? 'all' : foldersWith(grants, 'pull');
    const current = feeds();
    const scores = risksOf(await vulnerabilities.known({ since }), current);
    const found = await standings.changes({ folders, since, scores, ...page });
    const items = found.items.map((item) => ({
      ...item,
      blocking: item.blocking.slice(0, MOST_NAMED),
      blockingTotal: item.blocking.length,
    }));
    const threats = found.vulnerabilities.map((each) => ({
      ...each,
      ...threatOf(each.vulnerability, current),
    }));
    return { ...found, since, items, vulnerabilities: threats };
  };
}
