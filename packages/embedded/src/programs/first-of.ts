/** Several ways to the same result, of which a later one begins where an earlier one is slow. */

/**
 * @param slow is called where the next way should begin beside this one, which goes on
 * @returns once what it began has ended, also where the signal aborts it
 */
export type Way<T> = (signal: AbortSignal, slow: () => void) => Promise<T>;

/**
 * The first result; the other ways are aborted, and awaited. The next way begins where one fails or
 * is slow.
 *
 * @throws AggregateError with the faults of all ways, in the order in which they failed; the
 *   signal's reason when aborted
 */
export async function firstOf<T>(ways: readonly Way<T>[], signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const found = new AbortController();
  const ending = AbortSignal.any([found.signal, ...(signal === undefined ? [] : [signal])]);
  const running: Promise<void>[] = [];
  const faults: unknown[] = [];
  try {
    return await new Promise<T>((resolve, reject) => {
      const begin = (nth: number) => {
        const way = ways[nth];
        if (way === undefined || running.length > nth || ending.aborted) return;
        const next = () => begin(nth + 1);
        const failed = (fault: unknown) => {
          faults.push(fault);
          next();
          if (faults.length === running.length) reject(new AggregateError(faults));
        };
        running.push(way(ending, next).then(resolve, failed));
      };
      begin(0);
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    found.abort();
    await Promise.all(running);
  }
}
