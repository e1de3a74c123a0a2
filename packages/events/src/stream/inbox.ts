/** A bounded queue between a feed and one subscriber. */
export interface Inbox<T> extends AsyncIterable<T> {
  put(item: T): void;
}

const CAPACITY = 1_000;

/** Ends when aborted, or after the queued entries when the subscriber let it overflow. */
export function createInbox<T>(signal: AbortSignal, capacity = CAPACITY): Inbox<T> {
  const items: T[] = [];
  let overflowed = false;
  let wake = (): void => {};

  function put(item: T): void {
    if (items.length >= capacity) overflowed = true;
    if (!overflowed) items.push(item);
    wake();
  }

  async function* iterate(): AsyncGenerator<T> {
    const onAbort = (): void => wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (overflowed) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  return { put, [Symbol.asyncIterator]: iterate };
}
