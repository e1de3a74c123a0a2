/**
 * Shares the analyses of layers that a scan wrote to Redis with later scans, or removes them. A
 * worker that is killed before leaves them under names that nothing reads, until they expire.
 */
import { type Logger, openRedis, type Redis, redisReady } from '@portcullis/runtime';
import type { WrittenKey } from '../scan/redis-keys.ts';

/**
 * Without this the next scan makes them again, so a failure is no failure of the scan.
 *
 * @param areHeard whether all warnings about them are known: there was none
 */
export async function shareAnalyses(
  written: readonly WrittenKey[],
  areHeard: boolean,
  { redisUrl, log }: { redisUrl?: string | undefined; log: Pick<Logger, 'info' | 'warn'> },
): Promise<void> {
  if (redisUrl === undefined || written.length === 0) return;
  const redis = openRedis(redisUrl, { mode: 'fail-fast', log });
  try {
    await redisReady(redis);
    if (areHeard) for (const each of written) await share(redis, each);
    else await redis.del(...written.map(({ unheard }) => unheard));
  } catch (err) {
    log.warn({ err, areHeard }, 'analyses of layers were not shared with later scans');
  } finally {
    redis.disconnect();
  }
}

/** Redis may have lost it, or have refused to store it. */
async function share(redis: Redis, { key, unheard }: WrittenKey): Promise<void> {
  if ((await redis.exists(unheard)) === 1) await redis.rename(unheard, key);
}
