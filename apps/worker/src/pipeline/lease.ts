/** Keeps the lease of a database row while this worker works on it. */
import type { Logger } from '@portcullis/runtime';

export interface Lease {
  /** Aborted once another worker has taken the row. */
  readonly lost: AbortSignal;
  /** Marks the lease as lost after a write that the row refused. */
  lose(): void;
  stop(): void;
}

const RENEW_MS = 3_000;

/**
 * `renew` answers whether the row is still ours. While the database is unreachable the lease is not
 * lost: the fence decides once the database is back.
 */
export function keepLease(
  renew: () => Promise<boolean>,
  log: Pick<Logger, 'warn'>,
  everyMs = RENEW_MS,
): Lease {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (held) => {
        if (!held) lost.abort();
      },
      (err: unknown) => log.warn({ err }, 'the lease could not be renewed'),
    );
  }, everyMs);
  return { lost: lost.signal, lose: () => lost.abort(), stop: () => clearInterval(timer) };
}
