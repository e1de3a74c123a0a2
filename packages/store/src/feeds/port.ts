import type { FeedKind, KeptFeed, ParsedFeed } from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';

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

interface Read extends Pick<ThreatFeedState, 'source' | 'validator'> {
  at: Date;
}

export interface ThreatFeedStore {
  /** Feeds that were read, or tried to be. */
  list(): Promise<ThreatFeedState[]>;
  /** The feed with its entries; null where it was never read. */
  find(kind: FeedKind): Promise<(KeptFeed & Pick<FeedContent, 'digest'>) | null>;
  /**
   * Replaces all entries in one transaction, with the event of the change. `unchanged`: the kept
   * content is the same; `older`: it is newer, and stays. In both cases nothing but the time of the
   * check is written, in the second not even that.
   */
  replace(
    feed: ParsedFeed,
    read: Read,
    event: AuditRecord,
  ): Promise<'replaced' | 'unchanged' | 'older'>;
  /** The source has nothing newer. */
  confirm(kind: FeedKind, read: Read): Promise<void>;
  /** Keeps the content. */
  fail(kind: FeedKind, failure: FeedFailure): Promise<void>;
}
