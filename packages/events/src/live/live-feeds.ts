/**
 * The threat feeds in memory, for code that judges without a query. They are read again after each
 * refresh by any process, which is announced as a change of settings.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type FeedKind, type KeptFeed, type ThreatFeeds, threatFeeds } from '@portcullis/domain';
import type { Logger, Part } from '@portcullis/runtime';
import type { LiveSettings } from './live-settings.ts';

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

const AGAIN_MS = 1_000;

export function liveThreatFeeds({ settings, feeds, log }: LiveThreatFeedsOptions): LiveThreatFeeds {
  const listeners = new Set<() => void>();
  let loaded: readonly LoadedFeed[] = [];
  let current = threatFeeds(loaded);
  let [loading, stale, stopped] = [false, false, false];
  let unsubscribe = (): void => {};

  /** Entries are read only where they changed; the times of a check always. */
  async function load(): Promise<void> {
    const found: LoadedFeed[] = [];
    for (const { kind, content } of await feeds.list()) {
      if (content === null) continue;
      const known = loaded.find((each) => each.kind === kind && each.digest === content.digest);
      const { version, publishedAt, checkedAt } = content;
      const feed = known ? { ...known, version, publishedAt, checkedAt } : await feeds.find(kind);
      if (feed) found.push(feed);
    }
    if (isSame(found, loaded)) return;
    loaded = found;
    current = threatFeeds(found);
    log.info({ feeds: found.map(({ kind, version }) => `${kind} ${version}`) }, 'feeds changed');
    for (const listener of listeners) listener();
  }

  /** A change during a load causes another load; after a failure the known feeds stay. */
  async function reload(): Promise<void> {
    if (loading) return;
    loading = true;
    while (stale && !stopped) {
      stale = false;
      try {
        await load();
      } catch (error) {
        log.warn({ err: error }, 'the threat feeds could not be read; trying again');
        stale = true;
        await pause(AGAIN_MS, undefined, { ref: false });
      }
    }
    loading = false;
  }

  return {
    current: () => current,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async start() {
      unsubscribe = settings.onChange(() => {
        stale = true;
        void reload();
      });
      loading = true;
      try {
        await load();
      } finally {
        loading = false;
      }
      // A change during this load.
      void reload();
    },
    stop() {
      stopped = true;
      unsubscribe();
    },
  };
}

function isSame(found: readonly LoadedFeed[], loaded: readonly LoadedFeed[]): boolean {
  const keyOf = ({ kind, digest, version, publishedAt, checkedAt }: LoadedFeed) =>
    JSON.stringify([kind, digest, version, publishedAt, checkedAt]);
  return found.map(keyOf).join() === loaded.map(keyOf).join();
}
