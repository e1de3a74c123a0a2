/**
 * Keeps listening to an event stream, whatever happens to it: what was missed is asked for by `Last-Event-ID`, a line
 * that went silent is given up, and while none can be had the reader is told to poll. It never ends by itself.
 */
import { readEvents, type ServerEvent } from './event-stream.ts';

/** `polling`: there is no line, so that what is shown is asked for again now and then. */
export type FeedState = 'connecting' | 'live' | 'polling';

export interface FeedPorts {
  open(lastId: string | null, signal: AbortSignal): Promise<Response>;
  onEvent(event: ServerEvent): void;
  onState(state: FeedState): void;
  /** There may be news that no event told: after a line was lost, and every few seconds without one. */
  onGap(): void;
  signal: AbortSignal;
  times?: FeedTimes;
}

export interface FeedTimes {
  /** The server says something every 15 s. */
  silenceMs: number;
  pollMs: number;
  firstWaitMs: number;
  longestWaitMs: number;
}

const TIMES: FeedTimes = {
  silenceMs: 40_000,
  pollMs: 5_000,
  firstWaitMs: 500,
  longestWaitMs: 15_000,
};
/** A restart of the server takes two or three tries; nobody needs to hear of those. */
const QUIET_FAILURES = 2;

export async function keepListening(ports: FeedPorts): Promise<void> {
  const { signal, onState, onGap, times = TIMES } = ports;
  let lastId: string | null = null;
  let failures = 0;
  let polling: ReturnType<typeof setInterval> | undefined;

  function connected(): void {
    clearInterval(polling);
    polling = undefined;
    // Without an id to resume from, whatever happened meanwhile must be asked for.
    if (failures > 0 || lastId === null) onGap();
    failures = 0;
    onState('live');
  }

  function lost(): void {
    failures += 1;
    onState(failures > QUIET_FAILURES ? 'polling' : 'connecting');
    if (failures > QUIET_FAILURES) polling ??= setInterval(onGap, times.pollMs);
  }

  onState('connecting');
  while (!signal.aborted) {
    try {
      for await (const event of listen(ports, lastId, connected)) {
        if (event.id !== '') lastId = event.id;
        ports.onEvent(event);
      }
    } catch {
      // Whatever it was, the next try shows whether it passed.
    }
    if (signal.aborted) break;
    lost();
    await pause(Math.min(times.firstWaitMs * 2 ** (failures - 1), times.longestWaitMs), signal);
  }
  clearInterval(polling);
}

async function* listen(
  { open, signal, times = TIMES }: FeedPorts,
  lastId: string | null,
  connected: () => void,
): AsyncGenerator<ServerEvent> {
  const line = new AbortController();
  const giveUp = () => line.abort();
  let silence = setTimeout(giveUp, times.silenceMs);
  signal.addEventListener('abort', giveUp, { once: true });
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
    line.abort();
  }
}

/** Jitter, so that a restarted server isn't met by everybody at once. Coming back online or into view ends the wait. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds * (0.7 + Math.random() * 0.6));
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      globalThis.removeEventListener?.('online', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
    globalThis.addEventListener?.('online', done, { once: true });
  });
}
