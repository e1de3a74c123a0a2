import type { FeedKind, KeptFeed } from '@portcullis/domain';

/** A feed without its entries. */
export interface ThreatFeedState {
  kind: FeedKind;
  /** The address of the content, or `import`; without content, that of the failure. */
  source: string;
  /** What the source names this content by: an entity tag, or the digest of a manifest. */
  validator: string | null;
  /** Null for a feed that was never read. */
  content: FeedContent | null;
  /** The newest attempt, where it failed. */
  failure: FeedFailure | null;
}

export interface FeedContent extends Pick<KeptFeed, 'version' | 'publishedAt' | 'checkedAt'> {
  entries: number;
  /** Of the entries; it changes with them. */
  digest: string;
  /** When this content was read first. */
  fetchedAt: Date;
}

export interface FeedFailure {
  /** The address that was tried. */
  source: string;
  code: string;
  message: string;
  at: Date;
}

export interface FeedRead extends Pick<ThreatFeedState, 'source' | 'validator'> {
  at: Date;
}
