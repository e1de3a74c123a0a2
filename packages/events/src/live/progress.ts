/**
 * Changes and progress of jobs, and changes of notifications, for open pages: a capped Redis
 * stream, so that a client can resume.
 */
import { type Redis, withRedis } from '@portcullis/runtime';
import { entriesOf, type RawEntry } from '../audit/audit-stream.ts';
import { type Feed, openFeed } from '../stream/feed.ts';
import { compareIds, isStreamId, type StreamId } from '../stream/stream-id.ts';

export interface ProgressMessage {
  /** Of a transfer for the kind `transfer`; empty for `notifications`. */
  jobId: string;
  ownerId: string;
  /**
   * `job`: the row changed; `progress`: its counters moved; `transfer`: it began, was changed as a
   * whole, or was deleted; `notifications`: those of the account changed.
   */
  kind: 'job' | 'progress' | 'transfer' | 'notifications';
  data: Record<string, unknown>;
}

/** `id` is what a client sends as `Last-Event-ID`. */
export interface ProgressEvent extends ProgressMessage {
  id: string;
}

const STREAM = 'portcullis:progress';
const KEPT = 10_000;
const BACKLOG_STEP = 500;

/** @throws unavailable `EVENTS_UNAVAILABLE` */
export async function publishProgress(redis: Redis, message: ProgressMessage): Promise<void> {
  const text = JSON.stringify(message);
  await withRedis('EVENTS_UNAVAILABLE', () =>
    redis.xadd(STREAM, 'MAXLEN', '~', KEPT, '*', 'm', text),
  );
}

/** Notifies the open pages of the account. @throws unavailable `EVENTS_UNAVAILABLE` */
export function publishNotified(redis: Redis, accountId: string): Promise<void> {
  return publishProgress(redis, { jobId: '', ownerId: accountId, kind: 'notifications', data: {} });
}

export interface SubscribeOptions {
  /** Id of the last event that the client received. Anything else, also a later one: start now. */
  since?: string | null | undefined;
  signal: AbortSignal;
}

const feeds = new WeakMap<Redis, Feed<ProgressEvent>>();

/**
 * Ends when `signal` is aborted, or when the reader is too slow; it should reconnect with its last
 * id. All subscribers of one connection share one blocking reader.
 */
export async function* subscribeProgress(
  redis: Redis,
  { since, signal }: SubscribeOptions,
): AsyncGenerator<ProgressEvent, void, undefined> {
  const feed = feedOf(redis);
  using inbox = await feed.join(signal);
  let last = since && isStreamId(since) ? await findKnown(redis, since) : null;
  if (last) {
    for await (const event of backlog(redis, last)) {
      yield event;
      last = event.id;
    }
  }
  for await (const event of inbox) {
    // The feed may lag behind the backlog.
    if (last === null || compareIds(event.id, last) > 0) yield event;
  }
}

/**
 * Null for an id after the newest one: it is of a stream that Redis has lost, or of a server whose
 * clock was ahead. A subscriber that waited for ids after it would miss all changes until then.
 */
async function findKnown(redis: Redis, since: StreamId): Promise<StreamId | null> {
  const [newest] = await withRedis('EVENTS_UNAVAILABLE', () =>
    redis.xrevrange(STREAM, '+', '-', 'COUNT', 1),
  );
  return newest && compareIds(since, newest[0]) <= 0 ? since : null;
}

function feedOf(redis: Redis): Feed<ProgressEvent> {
  const feed = feeds.get(redis) ?? openFeed(redis, STREAM, (reply) => entriesOf(reply).map(parse));
  feeds.set(redis, feed);
  return feed;
}

async function* backlog(redis: Redis, since: string): AsyncGenerator<ProgressEvent> {
  let after = since;
  for (;;) {
    const entries = await withRedis('EVENTS_UNAVAILABLE', () =>
      redis.xrange(STREAM, `(${after}`, '+', 'COUNT', BACKLOG_STEP),
    );
    for (const entry of entries) yield parse(entry);
    const [last] = entries.at(-1) ?? [];
    if (!last || entries.length < BACKLOG_STEP) return;
    after = last;
  }
}

function parse([id, fields]: RawEntry): ProgressEvent {
  const message: ProgressMessage = JSON.parse(fields?.[1] ?? 'null');
  return { ...message, id };
}
