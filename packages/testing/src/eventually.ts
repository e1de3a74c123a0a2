/** The one way to wait for an effect of work beside the test, and to play a slow server. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Busy cores may need this long. An effect that is there early costs nothing. */
const PATIENCE_MS = 120_000;
const INTERVAL_MS = 20;

export interface EventuallyOptions<T> {
  /** What to say about the last value when it never holds. */
  describe?: (value: T) => string;
  patienceMs?: number;
  intervalMs?: number;
}

/** Reads until the value holds, and returns that value. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  holds: (value: T) => boolean = Boolean,
  {
    describe = JSON.stringify,
    patienceMs = PATIENCE_MS,
    intervalMs = INTERVAL_MS,
  }: EventuallyOptions<T> = {},
): Promise<T> {
  for (const end = Date.now() + patienceMs; ; await sleep(intervalMs)) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`not in time: ${describe(value)}`);
  }
}

/**
 * The slowness of a server, or of content, that a test plays. It delays what the product gets, and
 * a test never awaits it to see an effect.
 */
export function slowness(ms: number): Promise<void> {
  return sleep(ms);
}
