/**
 * Refreshes the threat feeds once a day. A feed that can't be read keeps its content, and the
 * reason is stored with it.
 */
import { FEED_KINDS, type FeedKind, type ParsedFeed } from '@portcullis/domain';
import { conflict, invalid, isAppError } from '@portcullis/errors';
import { type AuditEvent, systemEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';
import { readFeedFile, type Store, type ThreatFeedState } from '@portcullis/store';
import type { FeedAddress } from './feed-address.ts';
import type { FetchedFeed } from './fetch-feed.ts';

export interface RefreshFeedsPorts {
  feeds: Pick<Store['feeds'], 'list' | 'replace' | 'confirm' | 'fail' | 'switchOff'>;
  /** Null: the feed is not read. */
  addresses: Readonly<Record<FeedKind, FeedAddress | null>>;
  /** Null where the source still has what `validator` names. */
  fetch(
    address: FeedAddress,
    validator: string | null,
    signal: AbortSignal,
  ): Promise<FetchedFeed | null>;
  /** Notifies all processes, after the event of a change was committed. */
  announce(): Promise<void>;
  now(): Date;
  log: Pick<Logger, 'info' | 'warn'>;
}

const DAY_MS = 86_400_000;
/** The task runs hourly: the next run must not wait for a few seconds that are missing. */
const EARLY_MS = 300_000;
const RETRY_MS = 3_600_000;

export async function refreshFeeds(ports: RefreshFeedsPorts, signal: AbortSignal): Promise<void> {
  const known = await ports.feeds.list();
  for (const kind of FEED_KINDS) {
    const address = ports.addresses[kind];
    const state = known.find((each) => each.kind === kind) ?? null;
    if (address) {
      if (isFeedDue(state, address, ports.now()))
        await refresh({ kind, address, state }, ports, signal);
    } else if (!state?.content) await ports.feeds.switchOff(kind);
  }
}

/** Once a day; hourly after a failure, and at once from another address. */
export function isFeedDue(
  state: ThreatFeedState | null,
  address: Pick<FeedAddress, 'text'>,
  now: Date,
): boolean {
  const [failure, content] = [state?.failure ?? null, state?.content ?? null];
  if (failure?.source === address.text) return isPast(failure.at, RETRY_MS, now);
  if (content === null || state?.source !== address.text) return true;
  return isPast(content.checkedAt, DAY_MS, now);
}

function isPast(since: Date, ms: number, now: Date): boolean {
  return now.getTime() - since.getTime() >= ms - EARLY_MS;
}

interface Refreshing {
  kind: FeedKind;
  address: FeedAddress;
  state: ThreatFeedState | null;
}

async function refresh(
  feed: Refreshing,
  ports: RefreshFeedsPorts,
  signal: AbortSignal,
): Promise<void> {
  const { kind, address, state } = feed;
  const { log, now, feeds } = ports;
  try {
    await take(feed, ports, signal);
  } catch (error) {
    if (signal.aborted || !isAppError(error)) throw error;
    const { code, message } = error;
    // An installation without a way out repeats this hourly.
    if (state?.failure?.code !== code) log.warn({ err: error, kind }, 'a feed was not refreshed');
    await feeds.fail(kind, { source: address.text, code, message, at: now() });
  }
  await ports.announce();
}

async function take(
  { kind, address, state }: Refreshing,
  { feeds, fetch, log, now }: RefreshFeedsPorts,
  signal: AbortSignal,
): Promise<void> {
  const known = state?.content && state.source === address.text ? state.validator : null;
  const fetched = await fetch(address, known, signal);
  const read = { source: address.text, validator: fetched?.validator ?? known, at: now() };
  if (fetched === null) return feeds.confirm(kind, read);
  const parsed = await readFeedFile(fetched.bytes, now());
  if (parsed.kind !== kind) throw invalid('FEED_INVALID', `the file is the feed of ${parsed.kind}`);
  const result = await feeds.replace(parsed, read, updatedEvent(parsed, address, state));
  if (result === 'older')
    throw conflict('FEED_OLDER', 'the file is older than the one that was read before');
  log.info({ kind, result, version: parsed.version, entries: parsed.entries.size }, 'feed read');
}

function updatedEvent(
  { kind, version, publishedAt, entries }: ParsedFeed,
  { text }: FeedAddress,
  state: ThreatFeedState | null,
): AuditEvent {
  return systemEvent({
    event: 'feeds.updated',
    outcome: 'success',
    actor: { id: null, name: 'worker' },
    action: 'update',
    resource: { kind: 'feed', id: null, name: kind },
    detail: {
      source: text,
      version,
      published_at: publishedAt.toISOString(),
      entries: entries.size,
      entries_before: state?.content?.entries ?? 0,
    },
  });
}
