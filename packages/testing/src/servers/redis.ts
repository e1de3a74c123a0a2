import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { acquireBinary, freePort, REDIS, startRedisServer } from '@portcullis/embedded';
import { testCacheDir, testEnv, wantsContainers } from '../config.ts';
import { temporaryDir } from '../temporary.ts';
import { type Delivery, startInSlot, type TestServer } from './server.ts';

/** A separate, empty Redis, with a password in its `url`. */
export async function startRedis({ asDelivered = false }: Delivery = {}): Promise<TestServer> {
  if (wantsContainers && !asDelivered) return (await import('./containers.ts')).redisContainer();
  const binary = await acquireBinary(REDIS, { cacheDir: testCacheDir, env: testEnv });
  const password = randomBytes(12).toString('hex');
  return startInSlot(({ dir, port }) =>
    startRedisServer({
      binary,
      dir: dir.path,
      listen: asDelivered ? { socketPath: join(dir.path, 'redis.sock') } : { port },
      password,
      env: testEnv,
      durable: asDelivered,
    }),
  );
}

export interface LossyRedis extends Omit<TestServer, 'pid'> {
  /** Kills it, so that all data is lost. */
  crash(): Promise<void>;
  /** Starts it again at the same address, empty. */
  startEmpty(): Promise<void>;
}

/** A Redis that can be killed and started empty at the same address. */
export async function startLossyRedis(): Promise<LossyRedis> {
  const binary = await acquireBinary(REDIS, { cacheDir: testCacheDir, env: testEnv });
  const password = randomBytes(12).toString('hex');
  const [dir, port] = await Promise.all([temporaryDir(), freePort()]);
  const start = () =>
    startRedisServer({
      binary,
      dir: dir.path,
      listen: { port },
      password,
      env: testEnv,
      durable: false,
    });
  let running = await start();
  let up = true;
  async function crash(): Promise<void> {
    if (!up) return;
    up = false;
    process.kill(running.service.pid, 'SIGKILL');
    await running.service.stop();
  }
  async function stop(): Promise<void> {
    await crash();
    await dir.remove();
  }
  return {
    url: running.url,
    host: `127.0.0.1:${port}`,
    crash,
    async startEmpty() {
      running = await start();
      up = true;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
