/** The Redis of one scan, in which Trivy caches its analysis of layers. */
import { type Logger, redisAnswers } from '@portcullis/runtime';
import type { ScanMode } from './cli.ts';
import { type RedisRelay, relayRedis } from './redis-relay.ts';

interface CacheContext {
  redisUrl?: string | undefined;
  log: Pick<Logger, 'warn'>;
}

/** Where a scan caches what it read of layers, and the mode that it begins with. */
export interface ScanCache {
  redis: RedisRelay | null;
  mode: ScanMode;
}

const NO_CACHE: ScanCache = {
  redis: null,
  mode: { cacheBackend: 'memory', javaIndex: 'real', parallel: 2 },
};

export async function openCache(context: CacheContext): Promise<ScanCache & AsyncDisposable> {
  const redis = await reachRedis(context);
  const { mode } = NO_CACHE;
  return {
    redis,
    mode: { ...mode, cacheBackend: redis?.url ?? mode.cacheBackend },
    async [Symbol.asyncDispose]() {
      await redis?.[Symbol.asyncDispose]();
    },
  };
}

async function reachRedis({ redisUrl, log }: CacheContext): Promise<RedisRelay | null> {
  if (redisUrl === undefined) return null;
  if (await redisAnswers(redisUrl)) return relayRedis(redisUrl);
  log.warn('Redis does not answer: layers are not cached for later scans');
  return null;
}
