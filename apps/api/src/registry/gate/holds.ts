/** Bounds the pulls that wait for a scan, or for an image of an upstream. */
import type { Response } from 'express';

const MOST_HELD = 1_024;
/** The nodes of a cluster pull one image at once, with one account. */
const MOST_HELD_PER_ACCOUNT = 256;
const MOST_IMAGES_PER_ACCOUNT = 32;

interface Held {
  accountId: string;
  /** What the pull waits for. */
  image: string;
  response: Response;
}

export interface Holds {
  /** Beyond the bounds the pull keeps its first decision, and the client asks again later. */
  hold<T>(held: Held, first: T, wait: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function createHolds(): Holds {
  const accounts = new Map<string, Map<string, number>>();
  let total = 0;

  function hasRoom({ accountId, image }: Held): boolean {
    const images = accounts.get(accountId) ?? new Map<string, number>();
    const pulls = [...images.values()].reduce((sum, count) => sum + count, 0);
    const hasRoomForImage = images.has(image) || images.size < MOST_IMAGES_PER_ACCOUNT;
    return total < MOST_HELD && pulls < MOST_HELD_PER_ACCOUNT && hasRoomForImage;
  }

  function take({ accountId, image }: Held, more: 1 | -1): void {
    const images = accounts.get(accountId) ?? new Map<string, number>();
    const count = (images.get(image) ?? 0) + more;
    total += more;
    if (count > 0) images.set(image, count);
    else images.delete(image);
    if (images.size > 0) accounts.set(accountId, images);
    else accounts.delete(accountId);
  }

  return {
    async hold(held, first, wait) {
      if (!hasRoom(held)) return first;
      take(held, 1);
      try {
        return await whileOpen(held.response, wait);
      } finally {
        take(held, -1);
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
