import { randomBytes } from 'node:crypto';
import { acquireBinary, REDIS, startRedisServer } from '@portcullis/embedded';
import { testCacheDir, testEnv, wantsContainers } from './config.ts';
import { startInPlace, type TestServer } from './server.ts';

/** An empty Redis of one's own, with a password in its `url`. */
export async function startRedis(): Promise<TestServer> {
  if (wantsContainers) return (await import('./containers.ts')).redisContainer();
  const binary = await acquireBinary(REDIS, { cacheDir: testCacheDir, env: testEnv });
  const password = randomBytes(12).toString('hex');
  return startInPlace(({ dir, port }) =>
    startRedisServer({ binary, dir: dir.path, port, password, env: testEnv, durable: false }),
  );
}
