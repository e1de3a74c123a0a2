/**
 * What this process is downloading now, so that a second asker waits for the first. Not for as long as that one's
 * source likes, though: else whoever serves a blob slowly would hold up all who could have it from elsewhere.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { PushOptions } from '../copy/content.ts';
import type { How } from '../copy/progress.ts';
import { unlessAborted } from '../copy/unless-aborted.ts';
import type { Digest } from '../model/digest.ts';

export interface Flights {
  /** Waits until it has landed or failed; undefined when there is nothing to wait for. */
  join(digest: Digest, options: PushOptions): Promise<void> | undefined;
  /**
   * Runs the work as the one flight of this digest. Where a follower grew impatient it ends early, and so without an
   * error: what came so far is kept for whoever goes on with it.
   */
  lead(
    digest: Digest,
    options: PushOptions,
    work: (options: PushOptions) => Promise<void>,
  ): Promise<void>;
}

export interface Patience {
  /** What a flight has to bring within `withinMs` while somebody waits for it. */
  bytes: number;
  withinMs: number;
}

/** 1 MiB a second: on a line that is slower for all, two take turns, at the cost of a request each time. */
const PATIENCE: Patience = { bytes: 30 * 1024 * 1024, withinMs: 30_000 };
/** In which the follower becomes the leader. */
const GIVE_WAY_MS = 1_000;

type Listener = (bytes: number) => void;

interface Flight {
  bytes: number;
  /** Aborted by a follower that has waited long enough. */
  handedOver: AbortController;
  listeners: Set<Listener>;
  landed: Promise<void>;
}

export function createFlights(patience: Patience = PATIENCE): Flights {
  const flights = new Map<Digest, Flight>();
  return {
    join(digest, options) {
      const flight = flights.get(digest);
      return flight && follow(flight, options, patience);
    },
    async lead(digest, options, work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const handedOver = new AbortController();
      const flight: Flight = { bytes: 0, handedOver, listeners: new Set(), landed: promise };
      flights.set(digest, flight);
      const signal = options.signal
        ? AbortSignal.any([options.signal, handedOver.signal])
        : handedOver.signal;
      try {
        await work({ signal, onBytes: (bytes, how) => spread(flight, options, bytes, how) });
      } catch (error) {
        if (!handedOver.signal.aborted || options.signal?.aborted) throw error;
      } finally {
        flights.delete(digest);
        resolve();
      }
      if (handedOver.signal.aborted) await wait(GIVE_WAY_MS, undefined, { signal: options.signal });
    },
  };
}

function spread(flight: Flight, options: PushOptions, bytes: number, how: How): void {
  flight.bytes += bytes;
  options.onBytes?.(bytes, how);
  for (const listener of flight.listeners) listener(bytes);
}

async function follow(
  flight: Flight,
  { signal, onBytes }: PushOptions,
  patience: Patience,
): Promise<void> {
  const listener: Listener = (bytes) => onBytes?.(bytes, 'reused');
  listener(flight.bytes);
  flight.listeners.add(listener);
  const impatience = setInterval(urge(flight, patience), patience.withinMs);
  try {
    await unlessAborted(flight.landed, signal);
  } finally {
    clearInterval(impatience);
    flight.listeners.delete(listener);
  }
}

function urge(flight: Flight, { bytes }: Patience): () => void {
  let before = flight.bytes;
  return () => {
    if (flight.bytes - before < bytes) flight.handedOver.abort();
    before = flight.bytes;
  };
}
