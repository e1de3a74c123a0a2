/** The threat feeds, as the page and the metrics show them. */
import type { ThreatFeedView } from '@portcullis/contract';
import { FEED_KINDS, type FeedKind, isStale, readAtOf } from '@portcullis/domain';
import type { LiveThreatFeeds } from '@portcullis/events';
import type { Metrics } from '@portcullis/runtime';
import type { Store, ThreatFeedState } from '@portcullis/store';

type Feeds = Pick<Store['feeds'], 'list'>;

/** Both, also where one was never read. */
export async function listFeeds(feeds: Feeds, now: Date): Promise<ThreatFeedView[]> {
  const states = await feeds.list();
  return FEED_KINDS.map((kind) => {
    const state = states.find((each) => each.kind === kind) ?? null;
    return presentFeed(kind, state, now);
  });
}

function presentFeed(kind: FeedKind, state: ThreatFeedState | null, now: Date): ThreatFeedView {
  const { source = null, content = null, failure = null } = state ?? {};
  const readAt = content && readAtOf({ kind, ...content });
  return {
    kind,
    source,
    version: content?.version ?? null,
    published_at: content?.publishedAt.toISOString() ?? null,
    fetched_at: content?.fetchedAt.toISOString() ?? null,
    checked_at: content?.checkedAt.toISOString() ?? null,
    age_s: readAt && Math.max(0, Math.round((now.getTime() - readAt.getTime()) / 1000)),
    stale: isStale(readAt && { readAt }, now),
    entries: content?.entries ?? 0,
    error: failure && { ...failure, at: failure.at.toISOString() },
  };
}

/** Ages of the feeds that this process judges with. */
export function measureFeeds(
  metrics: Metrics,
  feeds: Pick<LiveThreatFeeds, 'current'>,
  now: () => number,
): void {
  metrics.gauge(
    'threat_feed_age_seconds',
    'Time since the content of KEV or EPSS was known to be current',
    {
      labels: ['feed'],
      read: async () =>
        FEED_KINDS.flatMap((feed) => {
          const read = feeds.current()[feed];
          return read ? [{ labels: { feed }, value: (now() - read.readAt.getTime()) / 1000 }] : [];
        }),
    },
  );
}
