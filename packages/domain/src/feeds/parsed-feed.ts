import type { CveTable } from './cve-table.ts';
import type { FeedKind } from './threat-feeds.ts';

/** A file of a feed. */
export interface ParsedFeed {
  kind: FeedKind;
  /** The model of EPSS, or the version of the KEV catalog. */
  version: string;
  /** The date of the scores, or when the catalog was released. */
  publishedAt: Date;
  entries: CveTable;
}
