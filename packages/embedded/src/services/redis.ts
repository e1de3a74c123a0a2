/** Runs Redis for `npm start` and for tests. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redisAnswers, socketHost } from '@portcullis/runtime';
import type { Binary } from '../programs/binary.ts';
import { type Service, type ServiceHooks, startService, untilReady } from './service.ts';

export interface RedisOptions {
  binary: Binary;
  dir: string;
  listen: RedisListen;
  password: string;
  env: NodeJS.ProcessEnv;
  /** false: nothing is saved (tests). */
  durable?: boolean | undefined;
  hooks?: ServiceHooks | undefined;
}

/** A Unix socket, or a loopback port, which every account of the machine can reach. */
type RedisListen = { socketPath: string } | { port: number };

export interface RunningServer {
  service: Service;
  url: string;
}

export async function startRedisServer(options: RedisOptions): Promise<RunningServer> {
  const { binary, dir } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const config = join(dir, 'redis.conf');
  await writeFile(config, redisConfig(options), { mode: 0o600 });
  await chmod(config, 0o600);
  const env = { ...options.env, ...binary.env };
  const service = await startService({
    name: 'redis',
    command: binary.path,
    args: [config],
    env,
    ...options.hooks,
  });
  const url = redisUrl(options);
  // While it loads its file it answers with an error.
  await untilReady(service, () => redisAnswers(url)).catch(async (error) => {
    await service.stop();
    throw error;
  });
  return { service, url };
}

export function redisUrl({ listen, password }: Pick<RedisOptions, 'listen' | 'password'>): string {
  const host = 'port' in listen ? `127.0.0.1:${listen.port}` : socketHost(listen.socketPath);
  return `redis://:${encodeURIComponent(password)}@${host}/0`;
}

/**
 * `noeviction`: queues and streams are data, not a cache. The password is in a file, not in argv.
 */
export function redisConfig({
  dir,
  listen,
  password,
  durable = true,
}: Omit<RedisOptions, 'binary' | 'env'>): string {
  return [
    ...listening(listen),
    'protected-mode yes',
    `requirepass ${quote(password)}`,
    `dir ${quote(dir)}`,
    'daemonize no',
    'supervised no',
    'maxmemory-policy noeviction',
    `appendonly ${durable ? 'yes' : 'no'}`,
    'appendfsync everysec',
    durable ? 'save 3600 1' : 'save ""',
    'shutdown-timeout 5',
    '',
  ].join('\n');
}

function listening(listen: RedisListen): string[] {
  if ('port' in listen) return ['bind 127.0.0.1', `port ${listen.port}`];
  return ['port 0', `unixsocket ${quote(listen.socketPath)}`, 'unixsocketperm 700'];
}

/** A quoted string of redis.conf: backslash escapes, as in C. */
function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
