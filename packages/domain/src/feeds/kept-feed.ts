/** A feed as it is kept, and what rules of a policy ask it. */
import type { CveTable } from './cve-table.ts';
import { scoreOf } from './epss.ts';
import { dayAdded } from './kev.ts';
import type { ParsedFeed } from './parsed-feed.ts';
import type { FeedKind, ThreatFeeds } from './threat-feeds.ts';

export interface KeptFeed extends ParsedFeed {
  /** When its source was last seen to have nothing newer, or the file was imported. */
  checkedAt: Date;
}

/** A feed that is not kept was never read. */
export function threatFeeds(kept: readonly KeptFeed[]): ThreatFeeds {
  const kev = kept.find(({ kind }) => kind === 'kev');
  const epss = kept.find(({ kind }) => kind === 'epss');
  return {
    kev: kev ? { ...catalog(kev.entries), readAt: readAtOf(kev) } : null,
    epss: epss ? { score: (id) => scoreIn(epss.entries, id), readAt: readAtOf(epss) } : null,
  };
}

const DAY_MS = 86_400_000;

/**
 * How long after its date a file may still be current. Scores have a date of each day; the catalog
 * is released when it grows, which weeks may pass without. The limit detects a mirror that stopped.
 */
const CURRENT_DAYS: Record<FeedKind, number> = { epss: 0, kev: 23 };

/**
 * The time for which the content is known to be current: a check confirms what the source has, and
 * the date of the file limits what a check can confirm.
 */
export function readAtOf({
  kind,
  publishedAt,
  checkedAt,
}: Pick<KeptFeed, 'kind' | 'publishedAt' | 'checkedAt'>): Date {
  const latest = publishedAt.getTime() + CURRENT_DAYS[kind] * DAY_MS;
  return new Date(Math.min(checkedAt.getTime(), latest));
}

/** A mirror that serves an older file must not take back what a newer one added. */
export function isOlderFeed(
  candidate: Pick<ParsedFeed, 'publishedAt'>,
  kept: Pick<ParsedFeed, 'publishedAt'> | null,
): boolean {
  return kept !== null && candidate.publishedAt < kept.publishedAt;
}

function catalog(entries: CveTable) {
  return {
    has: (id: string) => entries.find(id) !== null,
    added: (id: string) => dayAdded(entries.find(id) ?? 0),
  };
}

function scoreIn(entries: CveTable, id: string): number | null {
  const value = entries.find(id);
  return value === null ? null : scoreOf(value);
}
