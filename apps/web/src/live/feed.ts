/**
 * Keeps a server-sent event stream open: it reconnects with `Last-Event-ID` and backoff, drops a
 * connection that went silent, and reports when the page must poll. It ends only by its signal.
 */
import type { EventSourceMessage } from 'eventsource-parser';
import { readEvents } from './event-stream.ts';

/** `polling`: there is no connection, so the page refetches periodically. */
export type FeedState = 'connecting' | 'live' | 'polling';

export interface FeedPorts {
  open(lastId: string | null, signal: AbortSignal): Promise<Response>;
  onEvent(event: EventSourceMessage): void;
  onState(state: FeedState): void;
  /** Events may have been missed: after a reconnect, and periodically without a connection. */
  onGap(): void;
  /** There is a connection again after failed attempts or a lost one. */
  onReconnected?(): void;
  signal: AbortSignal;
  times?: FeedTimes;
}

interface FeedTimes {
  /** The server sends a heartbeat every 5 s. */
  silenceMs: number;
  pollMs: number;
  firstWaitMs: number;
  longestWaitMs: number;
  /**
   * A connection that ends earlier counts as a failed attempt: a proxy or a server that accepts
   * each one and closes it must not be asked again at once, without end.
   */
  lastingMs: number;
}

const TIMES: FeedTimes = {
  silenceMs: 12_000,
  pollMs: 5_000,
  firstWaitMs: 500,
  longestWaitMs: 15_000,
  lastingMs: 6_000,
};
/** A server restart takes two or three attempts; these are not reported. */
const QUIET_FAILURES = 2;

export async function followFeed(ports: FeedPorts): Promise<void> {
  const { signal, onState, onGap, times = TIMES } = ports;
  let lastId: string | null = null;
  let failures = 0;
  let polling: ReturnType<typeof setInterval> | undefined;
  let lasting: ReturnType<typeof setTimeout> | undefined;

  function connected(): void {
    clearInterval(polling);
    polling = undefined;
    // Without an id to resume from, everything since must be refetched.
    if (failures > 0 || lastId === null) onGap();
    if (failures > 0) ports.onReconnected?.();
    lasting = setTimeout(() => {
      failures = 0;
    }, times.lastingMs);
    onState('live');
  }

  function lost(): void {
    clearTimeout(lasting);
    failures += 1;
    if (failures > QUIET_FAILURES || isOffline()) unreachable();
    else onState('connecting');
  }

  function unreachable(): void {
    onState('polling');
    polling ??= setInterval(onGap, times.pollMs);
  }

  onState('connecting');
  // A browser may end the connection some moments before it says that it has no network.
  globalThis.addEventListener?.('offline', unreachable);
  while (!signal.aborted) {
    try {
      for await (const event of listen(ports, lastId, connected)) {
        if (event.id) lastId = event.id;
        ports.onEvent(event);
      }
    } catch {
      // Any error leads to a reconnect.
    }
    if (signal.aborted) break;
    lost();
    const wait = Math.min(times.firstWaitMs * 2 ** (failures - 1), times.longestWaitMs);
    // Attempts without a network say nothing about the server, and a network is not ready at once.
    if ((await pause(wait, signal)) === 'online') failures = 1;
  }
  globalThis.removeEventListener?.('offline', unreachable);
  clearInterval(polling);
  clearTimeout(lasting);
}

async function* listen(
  { open, signal, times = TIMES }: FeedPorts,
  lastId: string | null,
  connected: () => void,
): AsyncGenerator<EventSourceMessage> {
  const line = new AbortController();
  const giveUp = () => line.abort();
  let silence = setTimeout(giveUp, times.silenceMs);
  signal.addEventListener('abort', giveUp, { once: true });
  globalThis.addEventListener?.('offline', giveUp);
  try {
    const response = await open(lastId, line.signal);
    if (!response.body) return;
    connected();
    yield* readEvents(response.body, () => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, times.silenceMs);
    });
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', giveUp);
    globalThis.removeEventListener?.('offline', giveUp);
    line.abort();
  }
}

/** What the browser knows: true only without any network. */
function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/**
 * Waits with jitter, so that clients do not reconnect at once.
 *
 * @returns what ended the wait
 */
function pause(milliseconds: number, signal: AbortSignal): Promise<'time' | 'abort' | 'online'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end('time'), milliseconds * (0.7 + Math.random() * 0.6));
    const aborted = () => end('abort');
    const online = () => end('online');
    function end(by: 'time' | 'abort' | 'online'): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      globalThis.removeEventListener?.('online', online);
      resolve(by);
    }
    signal.addEventListener('abort', aborted, { once: true });
    globalThis.addEventListener?.('online', online, { once: true });
  });
}
