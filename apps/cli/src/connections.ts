/** The store and Redis as a command uses them, closed when it ends. */

import { conflict } from '@portcullis/errors';
import { type ChangeKind, publishChange } from '@portcullis/events';
import { loadSecretKeys, openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { inspectDatabase, openStore, type Store } from '@portcullis/store';
import type { Call } from './command.ts';

export type Surrounded = Pick<Call, 'config' | 'surroundings' | 'terminal'>;

export async function withStore<T>(call: Surrounded, work: (store: Store) => Promise<T>): Promise<T> {
  const { secretKey, previousKey, dataDir } = call.config;
  const [key, ...others] = await loadSecretKeys({ secretKey, previousKey, dataDir });
  const store = openStore(await migratedDatabase(call), sealer(key, others));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** @throws conflict `DATABASE_NOT_MIGRATED`: the store knows the tables of this release alone */
export async function migratedDatabase({ surroundings }: Pick<Call, 'surroundings'>): Promise<string> {
  const url = await surroundings.url('postgres');
  const { missing } = await inspectDatabase(url);
  if (missing.length === 0) return url;
  throw conflict(
    'DATABASE_NOT_MIGRATED',
    'the database lacks tables of this release; run `portcullis migrate`',
  );
}

/** @throws unavailable `REDIS_UNAVAILABLE` */
export async function withRedisServer<T>(call: Surrounded, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = openRedis(await call.surroundings.url('redis'), { mode: 'fail-fast' });
  try {
    await redisReady(redis);
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Tells the processes; what was done is done, also where that fails. Gives what people must know then. */
export async function announce(call: Surrounded, kind: ChangeKind): Promise<string[]> {
  // Nobody listens: the processes of a stopped installation read everything anew when they start.
  if (call.surroundings.supervised === false && call.config.redisUrl === undefined) return [];
  try {
    await withRedisServer(call, (redis) => publishChange(redis, kind));
    return [];
  } catch {
    return ['Redis can not be reached: processes that run learn of it within a minute, or when restarted.'];
  }
}
