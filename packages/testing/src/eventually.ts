/**
 * The one place in which tests spend time: until an effect of work beside the test, at the pace of
 * a load, or for the slowness of a server that a test plays.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for an effect: `eventually`, and by vitest.config.ts and
 * tests/support/browser.ts the polling of Vitest and Playwright. Busy cores may need this long; an
 * effect that is there early costs nothing.
 */
export const PATIENCE_MS = 120_000;
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

/**
 * The time between two steps of a load, or of a part of a cluster that a test plays. What a test
 * asserts must not depend on it.
 *
 * @param signal ends the time early
 */
export function pace(ms: number, signal?: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}

/** Until the moment is past that the product compares with its clock, such as a waiver's end. */
export async function past(moment: Date): Promise<void> {
  await eventually(Date.now, (now) => now > moment.getTime());
}
