/**
 * The threat feeds in memory, for code that judges without a query. They are read again after each
 * refresh by any process, which is announced as a change of settings.
 */
import { type FeedKind, type KeptFeed, type ThreatFeeds, threatFeeds } from '@portcullis/domain';
import type { Logger, Part } from '@portcullis/runtime';
import type { LiveSettings } from './live-settings.ts';
import { reloading } from './reloading.ts';

type LoadedFeed = KeptFeed & { digest: string };

/** The feeds of the store. */
interface StoredFeeds {
  list(): Promise<
    readonly {
      kind: FeedKind;
      content: (Omit<LoadedFeed, 'kind' | 'entries'> & { entries: number }) | null;
    }[]
  >;
  find(kind: FeedKind): Promise<LoadedFeed | null>;
}

export interface LiveThreatFeeds extends Part {
  /** Without feeds until `start` has read them. */
  current(): ThreatFeeds;
  /** Calls `listener` after each change. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
}

export interface LiveThreatFeedsOptions {
  settings: Pick<LiveSettings, 'onChange'>;
  feeds: StoredFeeds;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function liveThreatFeeds({ settings, feeds, log }: LiveThreatFeedsOptions): LiveThreatFeeds {
  let loaded: readonly LoadedFeed[] = [];
  let current = threatFeeds(loaded);

  /** Entries are read only where they changed; the times of a check always. */
  async function load(): Promise<boolean> {
    const found: LoadedFeed[] = [];
    for (const { kind, content } of await feeds.list()) {
      if (content === null) continue;
      const known = loaded.find((each) => each.kind === kind && each.digest === content.digest);
      const { version, publishedAt, checkedAt } = content;
      const feed = known ? { ...known, version, publishedAt, checkedAt } : await feeds.find(kind);
      if (feed) found.push(feed);
    }
    if (isSame(found, loaded)) return false;
    loaded = found;
    current = threatFeeds(found);
    log.info({ feeds: found.map(({ kind, version }) => `${kind} ${version}`) }, 'feeds changed');
    return true;
  }

  const { onChange, start, stop } = reloading({ settings, load, what: 'the threat feeds', log });
  return { current: () => current, onChange, start, stop };
}

function isSame(found: readonly LoadedFeed[], loaded: readonly LoadedFeed[]): boolean {
  const keyOf = ({ kind, digest, version, publishedAt, checkedAt }: LoadedFeed) =>
    JSON.stringify([kind, digest, version, publishedAt, checkedAt]);
  return found.map(keyOf).join() === loaded.map(keyOf).join();
}
