import { connect } from 'node:net';
import { join } from 'node:path';
import {
  acquireBinary,
  cacheDir,
  REDIS,
  type RunningServer,
  startRedisServer,
} from '@portcullis/embedded';
import { openRedis, redisAnswers, redisReady } from '@portcullis/runtime';
import {
  startRedis,
  startWatchedRedis,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { relayRedis } from './redis-relay.ts';

const PASSWORD = 'the real "one"';

let dir: TemporaryDir;
let redis: RunningServer;

beforeAll(async () => {
  dir = await temporaryDir();
  const { env } = process;
  redis = await startRedisServer({
    binary: await acquireBinary(REDIS, { cacheDir: cacheDir(env), env }),
    dir: dir.path,
    listen: { socketPath: join(dir.path, 'redis.sock') },
    password: PASSWORD,
    durable: false,
    env,
  });
});

afterAll(async () => {
  await redis?.service.stop();
  await dir?.remove();
});

it('our own connection uses the socket, and the check before a scan reaches Redis', async () => {
  const direct = openRedis(redis.url, { mode: 'fail-fast' });
  await redisReady(direct);
  expect(await direct.echo('here')).toBe('here');
  direct.disconnect();
  expect(await redisAnswers(redis.url)).toBe(true);
  expect(await redisAnswers('redis://:x@%2Fnone%2Fredis.sock/0')).toBe(false);
});

it('a client of the relay logs in with a temporary password and never sees the real one', async () => {
  await using relay = await relayRedis(redis.url);
  expect(relay.url).toMatch(/^redis:\/\/scan:[\w-]{32}@127\.0\.0\.1:\d+\/0$/);
  const answers = await speak(relay.url, (user, password) => [
    ['HELLO', '3', 'AUTH', user, password],
    ['SET', 'fanal::layer', 'x'.repeat(200_000)],
    ['GET', 'fanal::layer'],
  ]);
  expect(answers).toContain('$200000\r\n');
});

it.each<[string, (user: string, password: string) => string[][]]>([
  ['another password', (user) => [['HELLO', '3', 'AUTH', user, 'x'.repeat(32)]]],
  ['the real password', () => [['HELLO', '3', 'AUTH', 'default', PASSWORD]]],
  ['no password', () => [['HELLO', '3']]],
  ['another greeting', (_, password) => [['AUTH', password]]],
  ['no command', () => [['x'.repeat(10_000)]]],
])('a client of the relay with %s is disconnected', async (_, commands) => {
  await using relay = await relayRedis(redis.url);
  expect(await speak(relay.url, commands)).toBe('');
});

it('a Redis on a TCP port is relayed, too, and the keys that a client reads are recorded', async () => {
  await using other = await startRedis();
  await using relay = await relayRedis(other.url);
  const answers = await speak(relay.url, (user, password) => [
    ['HELLO', '3', 'AUTH', user, password],
    ['GET', 'fanal::blob::one'],
    ['SET', 'fanal::layer', 'x'.repeat(200_000)],
    ['GET', 'fanal::artifact::two'],
    ['GET', 'fanal::layer'],
  ]);
  expect(answers).toContain('$200000\r\n');
  expect(relay.takeReads()).toEqual(['fanal::blob::one', 'fanal::artifact::two', 'fanal::layer']);
  expect(relay.takeReads()).toEqual([]);
});

it('the primary that Sentinels name is relayed, too', async () => {
  await using watched = await startWatchedRedis();
  await using relay = await relayRedis(watched.url);
  const answers = await speak(relay.url, (user, password) => [
    ['HELLO', '3', 'AUTH', user, password],
    ['SET', 'fanal::layer', 'x'.repeat(200_000)],
    ['GET', 'fanal::layer'],
  ]);
  expect(answers).toContain('$200000\r\n');
});

/** Returns the output until the server or the last answer ends it. */
async function speak(
  url: string,
  commands: (user: string, password: string) => string[][],
): Promise<string> {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  for (const words of commands(username, password)) {
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    socket.write(`*${words.length}\r\n${parts.join('')}`);
  }
  let answers = '';
  try {
    for await (const chunk of socket) {
      answers += chunk;
      if (answers.includes('$200000\r\n')) break;
    }
  } catch {
    // The connection is reset if it is cut while it sends.
  }
  socket.destroy();
  return answers;
}
