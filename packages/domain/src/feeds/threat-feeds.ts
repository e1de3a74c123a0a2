/**
 * Threat feeds that rules of a policy may name: the KEV catalog of CISA (vulnerabilities known to
 * be exploited) and EPSS (the probability that a vulnerability is exploited).
 */
const FRESH_DAYS = 7;
const DAY_MS = 86_400_000;

export const FEED_KINDS = ['kev', 'epss'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** A feed as it was read last. */
export interface ReadFeed {
  readAt: Date;
}

/** Null: never read. */
export interface ThreatFeeds {
  kev:
    | (ReadFeed & {
        has(vulnerability: string): boolean;
        /** The day on which the catalog took it in; null where it does not say. */
        added?(vulnerability: string): string | null;
      })
    | null;
  /** Probabilities of 0 to 1; null where the feed has none. */
  epss: (ReadFeed & { score(vulnerability: string): number | null }) | null;
}

/** Whether the feed is missing, or too old to be used by a rule. */
export function isStale(feed: ReadFeed | null, now: Date): boolean {
  return feed === null || now >= staleAt(feed);
}

/** The first moment at which the feed is too old. */
export function staleAt({ readAt }: ReadFeed): Date {
  return new Date(readAt.getTime() + FRESH_DAYS * DAY_MS);
}
