/** What this process is downloading now, so that a second asker waits for the first. */
import type { PushOptions } from '../content.ts';
import type { Digest } from '../digest.ts';
import type { How } from '../progress.ts';

export interface Flights {
  /** Waits until it has landed or failed; undefined when there is nothing to wait for. */
  join(digest: Digest, options: PushOptions): Promise<void> | undefined;
  /** Runs the work as the one flight of this digest. */
  lead(digest: Digest, options: PushOptions, work: (options: PushOptions) => Promise<void>): Promise<void>;
}

type Listener = (bytes: number) => void;

interface Flight {
  bytes: number;
  listeners: Set<Listener>;
  landed: Promise<void>;
}

export function createFlights(): Flights {
  const flights = new Map<Digest, Flight>();
  return {
    join(digest, options) {
      const flight = flights.get(digest);
      return flight && follow(flight, options);
    },
    async lead(digest, options, work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const flight: Flight = { bytes: 0, listeners: new Set(), landed: promise };
      flights.set(digest, flight);
      try {
        await work({ ...options, onBytes: (bytes, how) => spread(flight, options, bytes, how) });
      } finally {
        flights.delete(digest);
        resolve();
      }
    },
  };
}

function spread(flight: Flight, options: PushOptions, bytes: number, how: How): void {
  flight.bytes += bytes;
  options.onBytes?.(bytes, how);
  for (const listener of flight.listeners) listener(bytes);
}

async function follow(flight: Flight, { signal, onBytes }: PushOptions): Promise<void> {
  const listener: Listener = (bytes) => onBytes?.(bytes, 'reused');
  listener(flight.bytes);
  flight.listeners.add(listener);
  const { promise: aborted, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([flight.landed, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
    flight.listeners.delete(listener);
  }
}
