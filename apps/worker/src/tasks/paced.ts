/** Work that is looked for in a loop, by queries that read many rows. */

export interface Pace {
  shortestMs: number;
  longestMs: number;
  /** Of the configuration: how much sooner, or later, than delivered. */
  searchFactor: number;
}

/** Pause where a look found nothing: ten times as long as it took. */
export function lookPause(tookMs: number, { shortestMs, longestMs, searchFactor }: Pace): number {
  return Math.min(Math.max(10 * tookMs, shortestMs * searchFactor), longestMs);
}

/**
 * Called in a loop. True where it worked and the next call may follow at once.
 * @param work true where it found something
 */
export function paced(
  { now, ...pace }: Pace & { now(): Date },
  work: (signal: AbortSignal) => Promise<boolean>,
): (signal: AbortSignal) => Promise<boolean> {
  let nextAt = 0;
  return async (signal) => {
    const started = now().getTime();
    if (started < nextAt) return false;
    if (await work(signal)) return true;
    nextAt = now().getTime() + lookPause(now().getTime() - started, pace);
    return false;
  };
}
