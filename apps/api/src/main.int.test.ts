/**
 * The api process: it starts with real services, creates the first account, and ends on a signal.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ChangeKind, watchChanges } from '@portcullis/events';
import { openRedis, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  json,
  listeningOf,
  processEnv,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const MAIN = new URL('./main.ts', import.meta.url).pathname;

let dir: TemporaryDir;
let servers: { stop(): Promise<void> }[];
let env: Record<string, string>;
let store: Store;

beforeAll(async () => {
  const [database, redis, registry] = await Promise.all([
    createDatabase(),
    startRedis() as Promise<TestServer>,
    startRegistry(),
  ]);
  servers = [database, redis, registry];
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  dir = await temporaryDir();
  env = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: registry.url,
    DATA_DIR: dir.path,
    FIRST_ADMIN_FILE: path.join(dir.path, 'first'),
  };
});
afterAll(async () => {
  await store?.close();
  await Promise.all(servers.map((server) => server.stop()));
  await dir.remove();
});

function start(more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...processEnv, ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listening = new Promise<number>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const port = /"port":(\d+),"msg":"listening"/.exec(output)?.[1];
      if (port) resolve(Number(port));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  return { child, listening, exit: once(child, 'close'), output: () => output };
}

/** Reports a vulnerability database as a worker does. */
async function tellOfDatabase(updatedAt: string): Promise<void> {
  const database = {
    updatedAt,
    nextUpdate: updatedAt,
    source: null,
    javaUpdatedAt: null,
    javaDownloadedAt: null,
  };
  const scanner = {
    binary: 'ready',
    version: '1',
    message: '',
    available: true,
    database,
    databaseFailure: null,
    javaDownload: null,
  } as const;
  await store.storages.beat(randomUUID(), {
    disk: { total: 100, free: 50, reserve: 1 },
    registryDisk: null,
    fault: null,
    scanner,
  });
}

describe('the api', () => {
  it('creates the first account once, serves, and ends within its grace time', async () => {
    const first = start();
    const port = await first.listening;
    const password = (await readFile(path.join(dir.path, 'first'), 'utf8')).trim();
    expect((await stat(path.join(dir.path, 'first'))).mode & 0o777).toBe(0o600);
    const body = JSON.stringify({ username: 'admin', password });
    const login = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(await json(login)).toMatchObject({
      user: { is_admin: true, must_change_password: true },
    });
    expect(first.output()).not.toContain(password);
    first.child.kill('SIGTERM');
    expect(await first.exit).toEqual([0, null]);

    const again = start({ ADMIN_PASSWORD: 'another one entirely' });
    await again.listening;
    expect(again.output()).not.toContain('first');
    again.child.kill('SIGINT');
    expect(await again.exit).toEqual([0, null]);
  });

  it('announces at its start what a killed one may have saved without an announcement', async () => {
    const redis = openRedis(env.REDIS_URL ?? '', { mode: 'patient' });
    const heard: ChangeKind[] = [];
    const watch = watchChanges(redis, (kind) => heard.push(kind));
    onTestFinished(() => {
      watch.close();
      redis.disconnect();
    });
    await expect.poll(() => watch.live()).toBe(true);
    heard.length = 0;
    const api = start();
    onTestFinished(() => void api.child.kill('SIGKILL'));
    await api.listening;
    await expect.poll(() => heard).toContain('access');
    expect(api.output()).toContain('REGISTRY_STORAGE is not set');
  });

  it('exports metrics of the whole installation on a separate port, and only there', async () => {
    const updatedAt = new Date(Date.now() - 3_600_000).toISOString();
    await tellOfDatabase(updatedAt);
    const api = start({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' });
    const port = await api.listening;
    onTestFinished(() => void api.child.kill('SIGKILL'));
    const besides = async () =>
      (await listeningOf(api.child.pid ?? 0)).filter((each) => each !== `127.0.0.1:${port}`);
    await expect.poll(besides).toEqual([expect.stringMatching(/^127\.0\.0\.2:\d+$/)]);
    const [address] = await besides();
    const text = await (await fetch(`http://${address}/metrics`)).text();
    for (const family of [
      'portcullis_queue_depth{queue="pull"} 0',
      'portcullis_queue_oldest_seconds{queue="scan"} 0',
      'portcullis_audit_lag_events{group="archive"}',
      'portcullis_audit_outbox_events 0',
      'portcullis_audit_lag_seconds{group="archive"}',
    ])
      expect(text).toContain(family);
    const age = Number(/^portcullis_scanner_database_age_seconds (\S+)$/m.exec(text)?.[1]);
    expect(age).toBeGreaterThanOrEqual(3_600);
    expect(age).toBeLessThan(3_700);
    // The metrics have a separate port.
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
    api.child.kill('SIGTERM');
    await api.exit;
  });

  it('names all that is wrong with its settings, and exits', async () => {
    const wrong = start({ PORT: 'x', DATABASE_URL: 'nope', TRIVY_ENABLED: 'perhaps' });
    expect((await wrong.exit)[0]).toBe(1);
    for (const name of ['PORT', 'DATABASE_URL', 'TRIVY_ENABLED'])
      expect(wrong.output()).toContain(name);
  });
});
