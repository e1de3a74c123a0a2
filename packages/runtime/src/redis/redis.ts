/** Opens connections to Redis, alone or behind Sentinels. */
import { type AppError, conflict, unavailable } from '@portcullis/errors';
import type { RedisOptions } from 'ioredis';
import { Redis } from 'ioredis';
import type { Logger } from '../logger.ts';
import { type RedisFamily, redisFamily } from './family.ts';
import { describeRedisFault, describeRedisReply, IS_CLUSTER } from './fault.ts';
import { optionsOf, type RedisAddress, readRedisUrl, type Sentinels } from './url.ts';

export type { Redis } from 'ioredis';

export interface OpenRedisOptions {
  /**
   * Connections to Redis. `fail-fast`: a command on a lost connection fails at once, so that an API
   * answers 503. `patient`: it waits for the connection; for workers, and required by BullMQ for
   * its blocking connections.
   */
  mode: 'fail-fast' | 'patient';
  log?: Pick<Logger, 'warn' | 'info'> | undefined;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that accepts the connection but does not answer must not block a request for ever. */
const COMMAND_TIMEOUT_MS = 3_000;
const LONGEST_PAUSE_MS = 2_000;
const SILENCE_MS = 30_000;

export function openRedis(url: string, { mode, log }: OpenRedisOptions): Redis {
  const family = redisFamily();
  const options = { ...common(family), ...(mode === 'patient' ? PATIENT : FAIL_FAST) };
  const redis = writingPerTurn(connection(url, options));
  families.set(redis, family);
  family.add(redis);
  let lost = false;
  redis.on('error', (error: Error) => {
    lastFaults.set(redis, error);
    if (!lost) log?.warn({ err: error }, 'redis is not reachable; trying again');
    lost = true;
  });
  redis.on('ready', () => {
    lastFaults.delete(redis);
    if (lost) log?.info('redis is reachable again');
    lost = false;
  });
  return redis;
}

/**
 * Writes the commands of one turn of the event loop to the socket together: a system call costs
 * more than the rest of a command.
 */
function writingPerTurn(redis: Redis): Redis {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    // Undefined until the first connection.
    const socket: Redis['stream'] | undefined = redis.stream;
    if (socket?.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return send(command, stream);
  };
  return redis;
}

function connection(url: string, options: RedisOptions): Redis {
  return new Redis({ ...options, ...optionsOf(readRedisUrl(url)) });
}

/** The last connection error, because a command reports only that there is no connection. */
const lastFaults = new WeakMap<Redis, Error>();

/** Of each connection: those that were made from the same one. */
const families = new WeakMap<Redis, RedisFamily>();

function common(family: RedisFamily): RedisOptions {
  return {
    reconnectOnError: family.isOutdated,
    // A server that was cut off closes nothing. Longer than any blocking command.
    socketTimeout: SILENCE_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (tries) => Math.min(tries * 100, LONGEST_PAUSE_MS),
  };
}

const PATIENT: RedisOptions = { maxRetriesPerRequest: null, enableReadyCheck: true };

const FAIL_FAST: RedisOptions = {
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  commandTimeout: COMMAND_TIMEOUT_MS,
};

/**
 * A separate connection for a blocking read or a subscription, made from another one. It waits
 * indefinitely for the server.
 */
export function duplicateForBlocking(redis: Redis): Redis {
  const copy = redis.duplicate({
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    lazyConnect: false,
    // `undefined` removes the fail-fast mode's limit: a blocking read is meant to be long.
    commandTimeout: undefined,
  });
  // The connection it was made from logs lost connections.
  copy.on('error', () => {});
  families.get(redis)?.add(copy);
  return copy;
}

/**
 * Resolves once commands can be sent; a fail-fast connection refuses them until then. @throws
 * unavailable
 */
export async function redisReady(redis: Redis, timeoutMs = CONNECT_TIMEOUT_MS): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', ready);
      reject(unreachable(redis));
    }, timeoutMs);
    function ready(): void {
      clearTimeout(timer);
      resolve();
    }
    redis.once('ready', ready);
  });
}

/**
 * Refuses a node of a Redis Cluster, whose keys may be on different nodes, while our scripts change
 * several together. A Redis that is away, or that refuses the question, is left to later.
 * @throws conflict `REDIS_CLUSTER`
 */
export async function refuseCluster(redis: Redis): Promise<void> {
  const facts = await redisReady(redis, AT_START_MS)
    .then(() => redis.info('cluster'))
    .catch(() => '');
  if (/^cluster_enabled:1/m.test(facts)) throw conflict('REDIS_CLUSTER', IS_CLUSTER);
}

/** A Redis that is away must not keep a process from its start. */
const AT_START_MS = 1_000;

const PROBE = 'portcullis:probe';

/**
 * Whether it takes writes: a replica answers a PING as well. The queues ask for INFO first, which
 * an account without the dangerous commands may not use. @throws unavailable, with the reason why
 * it does not
 */
export async function pingRedis(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') throw unreachable(redis);
  await withRedis('REDIS_UNAVAILABLE', async () => {
    await Promise.all([redis.set(PROBE, '1', 'PX', 10_000), redis.info('server')]);
  });
}

const PING_TIMEOUT_MS = 1_000;

/** For one question. */
const ONCE: RedisOptions = {
  lazyConnect: true,
  enableReadyCheck: false,
  connectTimeout: PING_TIMEOUT_MS,
  commandTimeout: PING_TIMEOUT_MS,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
};

/** Whether the server at a URL accepts its password and answers a PING, by a new connection. */
export async function redisAnswers(url: string): Promise<boolean> {
  const redis = connection(url, ONCE);
  redis.on('error', () => {});
  try {
    return (await redis.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

/**
 * The present primary, as the first Sentinel that answers names it. @throws unavailable
 * `REDIS_UNAVAILABLE`
 */
export async function primaryOf(target: Sentinels & { tls: boolean }): Promise<RedisAddress> {
  for (const address of target.sentinels) {
    const redis = new Redis({
      ...address,
      ...target.sentinelLogin,
      ...(target.tls && { tls: {} }),
      ...ONCE,
    });
    redis.on('error', () => {});
    try {
      const found = await redis.call('SENTINEL', 'get-master-addr-by-name', target.name);
      const [host, port] = Array.isArray(found) ? found.map(String) : [];
      if (host !== undefined) return { host, port: Number(port) };
    } catch {
      // The next one may answer.
    } finally {
      redis.disconnect();
    }
  }
  throw redisFault('REDIS_UNAVAILABLE', new Error('no Sentinel names a primary'));
}

function unreachable(redis: Redis): AppError {
  const cause = lastFaults.get(redis);
  const text = `redis can not be reached: ${describeRedisFault(cause)}`;
  return unavailable('REDIS_UNAVAILABLE', text, { cause, retryAfter: 5 });
}

/** Runs Redis commands; an error becomes `unavailable`, which the API answers with 503. */
export async function withRedis<T>(code: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw redisFault(code, cause);
  }
}

/**
 * A server that refuses to write states the reason in the first word of its reply. @param code the
 * code for a server that cannot be reached
 */
export function redisFault(code: string, cause: unknown): AppError {
  const options = { cause, retryAfter: 5 };
  switch (refusalOf(cause)) {
    case 'MISCONF':
      return unavailable(
        'DISK_FULL',
        'the disk is full: Redis can not save what is written to it',
        options,
      );
    case 'OOM':
      return unavailable('REDIS_FULL', 'Redis has no memory left (maxmemory)', options);
    default:
      return unavailable(code, withReason(describeRedisReply(cause)), options);
  }
}

function withReason(reason: string | undefined): string {
  return `redis can not be ${reason === undefined ? 'reached' : `used: ${reason}`}`;
}

/**
 * The code of an error reply (RESP § Simple errors): its first word, or that of the reply which a
 * script passes on.
 */
function refusalOf(cause: unknown): string | undefined {
  return cause instanceof Error ? /(?:^|[ -])(MISCONF|OOM) /.exec(cause.message)?.[1] : undefined;
}
