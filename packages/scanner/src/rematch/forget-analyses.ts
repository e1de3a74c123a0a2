/** Removes Trivy's analyses of layers from Redis, so that the next scan makes them again. */
import { type Logger, openRedis, redisReady } from '@portcullis/runtime';

/**
 * Trivy warns when it analyses a layer, and is silent when it finds the analysis: another image
 * with the layer would seem to be judged.
 */
export async function forgetAnalyses(
  keys: readonly string[],
  { redisUrl, log }: { redisUrl?: string | undefined; log: Pick<Logger, 'info' | 'warn'> },
): Promise<void> {
  if (redisUrl === undefined || keys.length === 0) return;
  const redis = openRedis(redisUrl, { mode: 'fail-fast', log });
  try {
    await redisReady(redis);
    await redis.del(...keys);
  } finally {
    redis.disconnect();
  }
}
