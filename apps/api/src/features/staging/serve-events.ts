/**
 * Server-sent events: a heartbeat, the rights of the account as they are at each event, and
 * `Last-Event-ID`.
 */
import { once } from 'node:events';
import type { Principal } from '@portcullis/domain';
import type { ProgressEvent } from '@portcullis/events';
import type { Request, Response } from 'express';
import type { StreamLimit } from './stream-limit.ts';
import type { TokenReach } from './token-reach.ts';

export interface StreamPorts {
  subscribe(options: { since: string | null; signal: AbortSignal }): AsyncIterable<ProgressEvent>;
  /** The principal now; null after its session, token or account has ended. */
  current(principal: Principal): Promise<Principal | null>;
  /** What a limited token reads of the changes of its account. */
  reach: TokenReach;
  streams: StreamLimit;
  /** Ends all streams when the process stops. */
  stopping: AbortSignal;
}

export interface EventSubscriber {
  request: Request;
  response: Response;
  principal: Principal;
  /** Aborted when the client leaves, also where it left before. */
  signal: AbortSignal;
}

export interface SentEvent {
  /** Of the last change that is sent with it; null where further events show the same changes. */
  id: string | null;
  event: string;
  data: unknown;
}

/** Proxies close connections that are idle for a minute. */
const BEAT_MS = 5_000;
/** How soon a stream ends after its session, token or account; cached while nothing changes. */
const CHECK_MS = 1_000;

/** The changes that the account may read; `reader` has its rights as they are now. */
export interface ReadableChanges {
  changes: AsyncIterable<ProgressEvent>;
  reader(): Principal;
}

/**
 * @param shown makes events of the changes, and leaves out what a limited token does not reach
 * @throws rate_limited `STREAMS_MANY`
 */
export async function serveEvents(
  { request, response, principal, signal: left }: EventSubscriber,
  ports: StreamPorts,
  shown: (readable: ReadableChanges) => AsyncIterable<SentEvent>,
): Promise<void> {
  left.throwIfAborted();
  const leave = ports.streams.take(principal.id);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, left, ports.stopping]);
  let reader = principal;
  const beats = setInterval(() => response.write(': beat\n\n'), BEAT_MS);
  const checks = setInterval(() => void check(), CHECK_MS);

  /** An unavailable database ends no stream. */
  async function check(): Promise<void> {
    const now = await ports.current(reader).catch(() => reader);
    if (now) reader = now;
    else ended.abort();
  }

  async function* readable(): AsyncGenerator<ProgressEvent> {
    const since = request.get('last-event-id') ?? null;
    for await (const change of ports.subscribe({ since, signal }))
      if (mayRead(reader, change)) yield change;
  }

  try {
    open(response);
    const readableNow = { changes: readable(), reader: () => reader };
    for await (const event of shown(readableNow)) await write(response, frame(event), signal);
  } finally {
    clearInterval(beats);
    clearInterval(checks);
    ended.abort();
    leave();
    response.end();
  }
}

/**
 * Administrators read changes of all jobs and transfers, and no notifications of others; limited
 * tokens read no notifications.
 */
function mayRead(
  { id, isAdmin, tokenActions }: Principal,
  { ownerId, kind }: ProgressEvent,
): boolean {
  if (kind === 'notifications') return ownerId === id && tokenActions === undefined;
  return ownerId === id || isAdmin;
}

function open(response: Response): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write('retry: 2000\n\n');
}

function frame({ id, event, data }: SentEvent): string {
  const line = id === null ? '' : `id: ${id}\n`;
  return `${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Waits for a slow reader instead of buffering. */
async function write(response: Response, text: string, signal: AbortSignal): Promise<void> {
  if (!response.write(text)) await once(response, 'drain', { signal }).catch(() => {});
}
