/** The notifier as a process: every event ends in the table, once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { type AuditEvent, publish } from '@portcullis/events';
import { openRedis, type Redis, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { createDatabase, startRedis, temporaryDir } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const parts = new AsyncDisposableStack();
const running: ChildProcess[] = [];
let store: Store;
let redis: Redis;
let env: Record<string, string>;

beforeAll(async () => {
  const [database, server, dir] = await Promise.all([createDatabase(), startRedis(), temporaryDir()]);
  for (const part of [dir, database, server]) parts.use(part);
  const key = randomBytes(32);
  store = openStore(database.url, sealer(key));
  redis = openRedis(server.url, { mode: 'patient' });
  parts.defer(() => redis.disconnect());
  parts.defer(() => store.close());
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: server.url,
    DATA_DIR: dir.path,
    SECRET_KEY: key.toString('hex'),
  };
});
afterAll(async () => {
  for (const child of running) await end(child, 'SIGKILL');
  await parts.disposeAsync();
});

async function start(): Promise<ChildProcess> {
  const main = path.resolve(import.meta.dirname, '../src/main.ts');
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [main], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes('"ready"')) break;
  child.stdout.resume();
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  return (await exited)[0];
}

function event(name: string): AuditEvent {
  return {
    id: randomUUID(),
    at: new Date().toISOString(),
    event: name,
    outcome: 'success',
    actor: { id: null, name: 'tester', auth: 'system' },
    action: name,
    resource: null,
    client_ip: null,
    user_agent: null,
    method: null,
    path: null,
    status: null,
    duration_ms: null,
    request_id: null,
    detail: { of: name },
  };
}

const archived = async () =>
  (await store.audit.list({ limit: 200 })).items.map(({ event: name }) => name).sort();

it('keeps events from before its start and after, one delivered twice once, and all through a kill', async () => {
  await publish(redis, event('a'));
  const first = await start();
  const twice = event('b');
  for (const each of [twice, twice, event('c')]) await publish(redis, each);
  await expect.poll(archived, { timeout: 10_000 }).toEqual(['a', 'b', 'c']);

  await end(first, 'SIGKILL');
  await publish(redis, event('d'));
  const second = await start();
  await publish(redis, event('e'));
  await expect.poll(archived, { timeout: 10_000 }).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect((await store.audit.list({ event: 'e' })).items[0]).toMatchObject({ detail: { of: 'e' } });
  expect(await end(second, 'SIGTERM')).toBe(0);
});

it('names what is wrong with its settings, and ends', async () => {
  const main = path.resolve(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main], {
    env: { REDIS_URL: 'http://x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let text = '';
  for await (const chunk of child.stderr) text += chunk;
  expect(text).toMatch(/DATABASE_URL[\s\S]*REDIS_URL/);
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(1);
});
