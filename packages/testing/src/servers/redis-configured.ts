/** Redis servers with given settings: a primary with a replica and a Sentinel, accounts. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireBinary, REDIS, startService, untilReady } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';
import { listens, startInSlot, type TestServer } from './server.ts';

/** A Redis on a loopback port with these lines in its configuration. */
export async function startConfiguredRedis(
  lines: readonly string[],
  { login = '', args = [] }: { login?: string; args?: string[] } = {},
): Promise<TestServer> {
  const binary = await acquireBinary(REDIS, { cacheDir: testCacheDir, env: testEnv });
  return startInSlot(async ({ dir, port }) => {
    const file = join(dir.path, 'redis.conf');
    const own = ['bind 127.0.0.1', `port ${port}`, `dir ${dir.path}`, 'save ""'];
    await writeFile(file, `${[...own, ...lines].join('\n')}\n`, { mode: 0o600 });
    const service = await startService({
      name: 'redis',
      command: binary.path,
      args: [file, ...args],
      env: { ...testEnv, ...binary.env },
    });
    const url = `redis://${login}127.0.0.1:${port}/0`;
    await untilReady(service, () => listens(port)).catch(async (error) => {
      await service.stop();
      throw error;
    });
    return { service, url };
  });
}

export interface WatchedRedis extends AsyncDisposable {
  /** With the Sentinel's address, `redis+sentinel://`. */
  url: string;
  /** Both servers, by turns the primary. */
  servers: readonly [TestServer, TestServer];
  sentinel: TestServer;
}

const NAME = 'main';

/** A primary, a replica, and a Sentinel, with another password, that watches them. */
export async function startWatchedRedis(): Promise<WatchedRedis> {
  await using started = new AsyncDisposableStack();
  const password = randomBytes(12).toString('hex');
  const secrets = [`requirepass ${password}`, `masterauth ${password}`];
  const login = `:${password}@`;
  const primary = started.use(await startConfiguredRedis(secrets, { login }));
  const { port } = new URL(primary.url);
  const replica = started.use(
    await startConfiguredRedis([...secrets, `replicaof 127.0.0.1 ${port}`], { login }),
  );
  const watch = [
    `requirepass sentinel-${password}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${port} 1`,
    `sentinel auth-pass ${NAME} ${password}`,
    `sentinel down-after-milliseconds ${NAME} 1000`,
    `sentinel failover-timeout ${NAME} 5000`,
  ];
  const sentinel = started.use(
    await startConfiguredRedis(watch, {
      login: `:sentinel-${password}@`,
      args: ['--sentinel'],
    }),
  );
  const kept = started.move();
  return {
    url: `redis+sentinel://${login}${sentinel.host}/${NAME}/0?sentinel_password=sentinel-${password}`,
    servers: [primary, replica],
    sentinel,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
