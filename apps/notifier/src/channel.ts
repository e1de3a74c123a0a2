/**
 * Runs the readers of one collector (e-mail or syslog) with the current settings, and restarts them
 * when these change. Events that were not delivered by then stay pending in the consumer group.
 */
import type { LiveNetwork } from '@portcullis/events';
import type { Part } from '@portcullis/runtime';

/** State of the collector for the status page. */
export interface ChannelState {
  enabled: boolean;
  delivered: number;
  last_delivered_at: string | null;
  /** Why delivery is being retried; null while it works. */
  failing: string | null;
  failing_code: string | null;
  /** Number of events that the collector rejects for good, and the reason of the last one. */
  refused: number;
  last_refusal: string | null;
  last_refusal_code: string | null;
}

export interface CollectorReader {
  stop(): Promise<void>;
}

export interface ChannelOptions<S> {
  network: Pick<LiveNetwork, 'current' | 'onChange'>;
  /** The part of the settings that matters; null where the collector is disabled. */
  settings(): S | null;
  /** Reads until stopped; `signal` aborts a running delivery. */
  open(settings: S, progress: DeliveryProgress, signal: AbortSignal): CollectorReader[];
  /** Removes the consumer group of the collector. */
  drop(): Promise<void>;
}

/** A code, and the same in English. */
export interface DeliveryFailure {
  code: string;
  error: string;
}

export interface DeliveryProgress {
  delivered(count: number): void;
  failed(why: DeliveryFailure): void;
  refused(count: number, why: DeliveryFailure): void;
}

const WORKING = { failing: null, failing_code: null } satisfies Partial<ChannelState>;

export interface Channel extends Part {
  state(): ChannelState;
}

export function channel<S>({ network, settings, open, drop }: ChannelOptions<S>): Channel {
  const state: ChannelState = {
    enabled: false,
    delivered: 0,
    last_delivered_at: null,
    failing: null,
    failing_code: null,
    refused: 0,
    last_refusal: null,
    last_refusal_code: null,
  };
  let running: { readings: CollectorReader[]; ending: AbortController } | null = null;
  let known: string | null = null;
  let turning: Promise<void> = Promise.resolve();
  let unsubscribe = (): void => {};

  const progress: DeliveryProgress = {
    delivered(count) {
      state.delivered += count;
      state.last_delivered_at = new Date().toISOString();
      Object.assign(state, WORKING);
    },
    failed(why) {
      Object.assign(state, { failing: why.error, failing_code: why.code });
    },
    refused(count, why) {
      state.refused += count;
      Object.assign(state, { last_refusal: why.error, last_refusal_code: why.code });
      Object.assign(state, WORKING);
    },
  };

  async function end(): Promise<void> {
    running?.ending.abort();
    await Promise.all(running?.readings.map((reading) => reading.stop()) ?? []);
    running = null;
    Object.assign(state, WORKING);
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

  /** Serialized: settings may change faster than readers end. */
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
