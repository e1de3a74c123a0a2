import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Binary } from './binary.ts';
import { type Service, type ServiceHooks, startService, untilReady } from './service.ts';

export interface RedisOptions {
  binary: Binary;
  dir: string;
  port: number;
  password: string;
  env: NodeJS.ProcessEnv;
  /** false: nothing is kept (tests). */
  durable?: boolean | undefined;
  hooks?: ServiceHooks | undefined;
}

export interface RunningServer {
  service: Service;
  url: string;
}

export async function startRedisServer(options: RedisOptions): Promise<RunningServer> {
  const { binary, dir, port, password } = options;
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
  await untilReady(service, () => answersPing(port, password)).catch(async (error) => {
    await service.stop();
    throw error;
  });
  return { service, url: redisUrl(options) };
}

export function redisUrl({ port, password }: { port: number; password: string }): string {
  return `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/0`;
}

/** `noeviction`: queues and streams are data, not a cache. The password stands in a file, not in argv. */
export function redisConfig({
  dir,
  port,
  password,
  durable = true,
}: Omit<RedisOptions, 'binary' | 'env'>): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
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

/** A quoted string of redis.conf: backslash escapes, as in C. */
function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Answers while it still loads its file too, but with an error: only PONG counts. */
function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let answer = '';
    const done = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1000, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.split('\r\n').length > 2) done(answer.includes('+PONG'));
    });
    socket.write(command('AUTH', password) + command('PING'));
  });
}

function command(...words: string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}
