/** Limits the event streams and waiting requests that an account holds open at this process. */
import { rateLimited } from '@portcullis/errors';

export interface StreamLimit {
  /** Returns the function that releases the stream. @throws rate_limited `STREAMS_MANY` */
  take(accountId: string): () => void;
}

const MOST = 64;

export function createStreamLimit(most = MOST): StreamLimit {
  const openStreams = new Map<string, number>();

  function give(accountId: string, count: number): void {
    if (count > 0) openStreams.set(accountId, count);
    else openStreams.delete(accountId);
  }

  return {
    take(accountId) {
      const count = openStreams.get(accountId) ?? 0;
      if (count >= most)
        throw rateLimited(
          'STREAMS_MANY',
          'This account has too many event streams and waiting requests open.',
          {
            retryAfter: 30,
          },
        );
      give(accountId, count + 1);
      return () => give(accountId, (openStreams.get(accountId) ?? 1) - 1);
    },
  };
}
