import { recent } from '@portcullis/events';
import { openRedis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  startRedis,
  type TemporaryDir,
  type TestDatabase,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCli } from './call.fixture.ts';

const SECRET_KEY = 'c'.repeat(64);

let database: TestDatabase;
let redis: TestServer;
let dir: TemporaryDir;
let store: Store;
let env: Record<string, string>;

beforeAll(async () => {
  [database, redis, dir] = await Promise.all([createDatabase(), startRedis(), temporaryDir()]);
  store = openStore(database.url, sealer(Buffer.from(SECRET_KEY, 'hex')));
  env = {
    ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, DATA_DIR: dir.path },
    ...{ REGISTRY_URL: 'http://127.0.0.1:1', SECRET_KEY },
  };
});
afterAll(async () => {
  await store.close();
  await Promise.all([database.stop(), redis.stop(), dir.remove()]);
});

const rotate = (...args: string[]) => callCli(['rotate-signing-key', '--json', ...args], { env });
const published = async () =>
  (await store.signingKeys.published()).map(({ id, isCurrent }) => ({ id, isCurrent }));

it('a key is published before it signs, one that leaked is withdrawn, and both are recorded', async () => {
  const first = JSON.parse((await rotate('--now')).out);
  expect(first).toEqual({ key: expect.stringMatching(/^sha256:/), days: 0 });
  const next = JSON.parse((await rotate()).out);
  expect(next.days).toBe(7);
  expect(await published()).toEqual([
    { id: next.key, isCurrent: false },
    { id: first.key, isCurrent: true },
  ]);
  expect(await rotate('--days', '30')).toMatchObject({
    code: 1,
    err: expect.stringContaining('SIGNING_KEY_WAITS'),
  });
  const last = JSON.parse((await rotate('--now')).out);
  expect(await published()).toEqual([{ id: last.key, isCurrent: true }]);
  const connection = openRedis(redis.url, { mode: 'fail-fast' });
  await redisReady(connection);
  const events = await recent(connection, 20);
  connection.disconnect();
  const recorded = events.filter(({ event }) => event === 'system.rotate_signing_key');
  expect(recorded.map(({ detail }) => detail)).toMatchObject([last, next, first]);
});

it.each([
  ['--days', '0'],
  ['--days', '366'],
  ['--days', 'week'],
  ['--days', '7', '--now'],
])('%s %s is wrong usage', async (...args) => {
  expect(await rotate(...args)).toMatchObject({ code: 2 });
});

it('doctor says which key signs, and one that the secret key does not open', async () => {
  const found = async (more: Record<string, string> = {}) => {
    const ran = await callCli(['doctor', '--json'], { env: { ...env, ...more } });
    const { findings } = JSON.parse(ran.out);
    return findings.find(({ about }: { about: string }) => about === 'signing key');
  };
  await rotate('--now');
  const [{ id } = { id: '' }] = await published();
  expect(await found()).toMatchObject({ state: 'ok', message: `${id} signs statements` });
  expect(await found({ SECRET_KEY: 'd'.repeat(64) })).toMatchObject({ state: 'fail' });
  await store.signingKeys.adopt({ id: 'sha256:file', publicKey: 'PEM' });
  expect(await found()).toMatchObject({
    state: 'ok',
    message: expect.stringContaining('sha256:file of SIGNING_KEY'),
  });
});
