import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FeedState, followFeed } from './feed.ts';

const TIMES = { silenceMs: 1000, pollMs: 100, firstWaitMs: 10, longestWaitMs: 40, lastingMs: 20 };

interface Line {
  lastId: string | null;
  say(text: string): void;
  cut(): void;
  aborted(): boolean;
}

let stop: AbortController;
let lines: Line[];
let states: FeedState[];
let events: string[];
let gaps: number;
let reconnections: number;
/** Whether the server can be reached. */
let up: boolean;
let browser: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  stop = new AbortController();
  lines = [];
  states = [];
  events = [];
  gaps = 0;
  reconnections = 0;
  up = true;
  void followFeed({
    open: async (lastId, signal) => connect(lastId, signal),
    onEvent: ({ data }) => void events.push(data),
    onState: (state) => void (states.at(-1) === state || states.push(state)),
    onGap: () => void gaps++,
    onReconnected: () => void reconnections++,
    signal: stop.signal,
    times: TIMES,
  });
});

afterEach(async () => {
  stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function connect(lastId: string | null, signal: AbortSignal): Response {
  if (!up) throw new TypeError('fetch failed');
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  signal.addEventListener('abort', () => {
    try {
      controller.error(new Error('aborted'));
    } catch {
      // The connection had ended already.
    }
  });
  lines.push({
    lastId,
    say: (text) => controller.enqueue(new TextEncoder().encode(text)),
    cut: () => controller.close(),
    aborted: () => signal.aborted,
  });
  return new Response(body);
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const line = () => lines.at(-1) as Line;

describe('the live feed', () => {
  it('refetches once, then receives changes', async () => {
    await pass(0);
    expect([states, gaps]).toEqual([['connecting', 'live'], 1]);
    expect(reconnections).toBe(0);
    line().say('id: 5-0\ndata: a\n\n');
    await pass(0);
    expect(events).toEqual(['a']);
  });

  it('resumes a broken connection at its last event', async () => {
    await pass(0);
    line().say('id: 5-0\ndata: a\n\n');
    await pass(0);
    line().cut();
    await pass(50);
    expect(lines.map(({ lastId }) => lastId)).toEqual([null, '5-0']);
    expect(states.at(-1)).toBe('live');
  });

  it('drops a silent connection and opens another', async () => {
    await pass(0);
    const first = line();
    await pass(TIMES.silenceMs + 50);
    expect(first.aborted()).toBe(true);
    expect(lines.length).toBe(2);
  });

  it('a heartbeat keeps the connection open', async () => {
    await pass(0);
    for (let beats = 0; beats < 5; beats++) {
      await pass(TIMES.silenceMs * 0.8);
      line().say(': beat\n\n');
    }
    await pass(0);
    expect(lines.length).toBe(1);
  });

  it('reports a missing connection, refetches periodically, and keeps trying', async () => {
    await pass(0);
    up = false;
    line().cut();
    await pass(400);
    expect(states.at(-1)).toBe('polling');
    expect(gaps).toBeGreaterThan(2);
    await pass(60_000);
    expect(reconnections).toBe(0);
    up = true;
    await pass(100);
    expect(states.at(-1)).toBe('live');
    expect(reconnections).toBe(1);
    const gapsBefore = gaps;
    await pass(500);
    expect(gaps).toBe(gapsBefore);
  });

  it.each([
    ['closes each connection at once', () => line().cut()],
    [
      'closes each connection after a heartbeat',
      () => {
        line().say(': beat\n\n');
        line().cut();
      },
    ],
    [
      'closes each connection after an event',
      () => {
        line().say('id: 5-0\ndata: a\n\n');
        line().cut();
      },
    ],
  ])('waits longer and longer for a server that %s', async (_, close) => {
    let closed = 0;
    for (let time = 0; time < 2_000; time++) {
      for (; closed < lines.length; closed++) close();
      await pass(1);
    }
    // The longest wait is 40 ms less a jitter of 30 %; the first one is 10 ms.
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.length).toBeLessThan(2_000 / 28 + 5);
  });

  it('counts from the beginning again after a connection that lasted', async () => {
    await pass(0);
    for (let nth = 0; nth < 5; nth++) {
      line().cut();
      await pass(13);
      expect([states.at(-1), lines.length]).toEqual(['live', nth + 2]);
      await pass(TIMES.lastingMs);
    }
  });

  it('asks soon again where the network that is back lets nothing through yet', async () => {
    await pass(0);
    up = false;
    line().cut();
    await pass(400);
    browser.dispatchEvent(new Event('online'));
    await pass(0);
    up = true;
    // The longest wait is 28 ms at least, the second one 26 ms at most.
    await pass(27);
    expect(states.at(-1)).toBe('live');
  });

  it('says that there is no network also where the connection ended before the browser said so', async () => {
    await pass(0);
    up = false;
    line().cut();
    await pass(0);
    expect(states.at(-1)).toBe('connecting');
    browser.dispatchEvent(new Event('offline'));
    expect(states.at(-1)).toBe('polling');
    up = true;
    browser.dispatchEvent(new Event('online'));
    await pass(27);
    expect(states.at(-1)).toBe('live');
  });

  it('ends with the session', async () => {
    await pass(0);
    stop.abort();
    await pass(5000);
    expect(lines.length).toBe(1);
    expect(line().aborted()).toBe(true);
  });
});
