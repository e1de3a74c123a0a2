/**
 * A collector's reader, by the settings in force: it runs while the collector is switched on, and begins anew with
 * other settings as soon as they change. What was not delivered by then stays with the group.
 */
import type { LiveNetwork } from '@portcullis/events';
import type { Part } from '@portcullis/runtime';

/** For people who look at the processes. */
export interface ChannelState {
  enabled: boolean;
  delivered: number;
  last_delivered_at: string | null;
  /** Why it is tried again; null while all is well. */
  failing: string | null;
  /** What it will never take, and what it said of the last of it. */
  refused: number;
  last_refusal: string | null;
}

export interface CollectorReader {
  stop(): Promise<void>;
}

export interface ChannelOptions<S> {
  network: Pick<LiveNetwork, 'current' | 'onChange'>;
  /** Of the settings in force; null: the collector is switched off. */
  settings(): S | null;
  /** Reads until it is stopped; `signal` calls off what is being delivered. */
  open(settings: S, progress: DeliveryProgress, signal: AbortSignal): CollectorReader[];
  /** Gives up the collector's place in the streams. */
  drop(): Promise<void>;
}

export interface DeliveryProgress {
  delivered(count: number): void;
  failed(why: string): void;
  refused(count: number, why: string): void;
}

export interface Channel extends Part {
  state(): ChannelState;
}

export function channel<S>({ network, settings, open, drop }: ChannelOptions<S>): Channel {
  const state: ChannelState = {
    enabled: false,
    delivered: 0,
    last_delivered_at: null,
    failing: null,
    refused: 0,
    last_refusal: null,
  };
  let running: { readings: CollectorReader[]; ending: AbortController } | null = null;
  let known: string | null = null;
  let turning: Promise<void> = Promise.resolve();
  let unsubscribe = (): void => {};

  const progress: DeliveryProgress = {
    delivered(count) {
      state.delivered += count;
      state.last_delivered_at = new Date().toISOString();
      state.failing = null;
    },
    failed(why) {
      state.failing = why;
    },
    refused(count, why) {
      state.refused += count;
      state.last_refusal = why;
      state.failing = null;
    },
  };

  async function end(): Promise<void> {
    running?.ending.abort();
    await Promise.all(running?.readings.map((reading) => reading.stop()) ?? []);
    running = null;
    state.failing = null;
  }

  async function apply(): Promise<void> {
    const wanted = settings();
    const text = JSON.stringify(wanted);
    if (text === known) return;
    known = text;
    await end();
    state.enabled = wanted !== null;
    if (wanted === null) return drop().catch(() => undefined);
    const ending = new AbortController();
    running = { readings: open(wanted, progress, ending.signal), ending };
  }

  /** One after the other: settings may change faster than a reader ends. */
  function turn(): Promise<void> {
    turning = turning.then(apply);
    return turning;
  }

  return {
    state: () => ({ ...state }),
    async start() {
      unsubscribe = network.onChange(() => void turn());
      await turn();
    },
    async stop() {
      unsubscribe();
      await turning;
      await end();
    },
  };
}
