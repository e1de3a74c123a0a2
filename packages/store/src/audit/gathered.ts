/** Writes that are asked for while others are under way share the next statement. */

const MOST_AT_ONCE = 100;

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** @param write returns one result for each item, in the same order */
export function gather<T, R>(
  write: (items: readonly T[]) => Promise<R[]>,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let isWriting = false;

  async function writeAll(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [nth, result] of results.entries()) batch[nth]?.resolve(result);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // One item that can't be written must not be the fault of the others.
      else for (const each of batch) await writeAll([each]);
    }
  }

  async function drain(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await writeAll(waiting.splice(0, MOST_AT_ONCE));
    isWriting = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    waiting.push({ item, resolve, reject });
    if (!isWriting) void drain();
    return promise;
  };
}
