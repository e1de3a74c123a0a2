/**
 * Limits the manifests that an account may store per minute. Parsing blocks the process's only
 * thread for a time that grows with the size, so a large manifest counts several times. Shared by
 * all replicas in Redis; without Redis there is no limit, as for API requests
 * (http/client/rate-limit.ts).
 */
import { rateLimited } from '@portcullis/errors';
import type { Logger, Redis } from '@portcullis/runtime';

export type SpendOnManifest = (accountId: string, bytes: number) => Promise<void>;

const WINDOW_SECONDS = 60;
const BYTES_OF_ONE = 64 * 1024;

export function costOf(bytes: number): number {
  return 1 + Math.floor(bytes / BYTES_OF_ONE);
}

export interface ManifestBudgetDeps {
  redis: Redis;
  perMinute: number;
  log: Pick<Logger, 'debug'>;
}

/** The function throws rate_limited `RATE_LIMITED`. */
export function createManifestBudget({
  redis,
  perMinute,
  log,
}: ManifestBudgetDeps): SpendOnManifest {
  async function spend(
    key: string,
    cost: number,
  ): Promise<{ spent: number; seconds: number } | null> {
    try {
      const results = await redis
        .multi()
        .set(key, 0, 'EX', WINDOW_SECONDS, 'NX')
        .incrby(key, cost)
        .ttl(key)
        .exec();
      const [, spent, seconds] = (results ?? []).map(([, value]) => Number(value));
      return spent === undefined || seconds === undefined ? null : { spent, seconds };
    } catch (err) {
      log.debug({ err }, 'the manifest budget could not be counted');
      return null;
    }
  }

  return async (accountId, bytes) => {
    const counted = await spend(`portcullis:budget:manifests:${accountId}`, costOf(bytes));
    if (!counted || counted.spent <= perMinute) return;
    throw rateLimited(
      'RATE_LIMITED',
      'too many or too large manifests of this account within a minute',
      {
        retryAfter: Math.max(1, counted.seconds),
      },
    );
  };
}
