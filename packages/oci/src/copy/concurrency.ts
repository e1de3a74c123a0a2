/**
 * Runs `work` for each item with bounded concurrency. After the first failure no further item is
 * started; the error is thrown once the running ones have settled, so no work continues after this
 * function returns.
 */
export async function forEachAtMost<T>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const lane = async () => {
    for (let next = queue.next(); !next.done && failures.length === 0; next = queue.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, lane));
  if (failures.length > 0) throw failures[0];
}
