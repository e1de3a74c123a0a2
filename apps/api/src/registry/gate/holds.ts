/** Bounds the pulls that wait for a scan, or for an image of an upstream. */
import type { Response } from 'express';

const MOST_HELD = 256;
const MOST_HELD_PER_ACCOUNT = 32;

export interface Holds {
  /** Beyond the bounds the pull keeps its first decision, and the client asks again later. */
  hold<T>(
    accountId: string,
    response: Response,
    first: T,
    wait: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

export function createHolds(): Holds {
  const held = new Map<string, number>();
  let total = 0;

  function take(accountId: string, more: 1 | -1): void {
    const count = (held.get(accountId) ?? 0) + more;
    total += more;
    if (count > 0) held.set(accountId, count);
    else held.delete(accountId);
  }

  return {
    async hold(accountId, response, first, wait) {
      if (total >= MOST_HELD || (held.get(accountId) ?? 0) >= MOST_HELD_PER_ACCOUNT) return first;
      take(accountId, 1);
      try {
        return await whileOpen(response, wait);
      } finally {
        take(accountId, -1);
      }
    },
  };
}

/** The signal is aborted when the client leaves before the work is done. */
export async function whileOpen<T>(
  response: Response,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const left = new AbortController();
  const abort = () => left.abort();
  response.once('close', abort);
  if (response.destroyed) abort();
  try {
    return await work(left.signal);
  } finally {
    response.off('close', abort);
  }
}
