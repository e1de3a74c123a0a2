/** Test environment: a notifier as a process, on a real database and Redis. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import {
  DEFAULT_NETWORK,
  mapSecrets,
  type NetworkSection,
  type NetworkSettings,
  networkKey,
} from '@portcullis/domain';
import { type AuditEvent, publish, publishChange } from '@portcullis/events';
import { openRedis, type Redis, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { createDatabase, processEnv, startRedis, temporaryDir } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';

export interface Harness extends AsyncDisposable {
  store: Store;
  redis: Redis;
  redisUrl: string;
  databaseUrl: string;
  start(env?: Record<string, string>): Promise<ChildProcess>;
  /** Stores settings as the api does, and notifies all processes. */
  set<S extends NetworkSection>(section: S, settings: Partial<NetworkSettings[S]>): Promise<void>;
  publish(...names: string[]): Promise<void>;
}

export async function openHarness(): Promise<Harness> {
  const parts = new AsyncDisposableStack();
  const [database, server, dir] = await Promise.all([
    createDatabase(),
    startRedis(),
    temporaryDir(),
  ]);
  for (const part of [dir, database, server]) parts.use(part);
  const key = randomBytes(32);
  const secrets = sealer(key);
  const store = openStore(database.url, secrets);
  const redis = openRedis(server.url, { mode: 'patient' });
  parts.defer(() => redis.disconnect());
  parts.defer(() => store.close());
  const running: ChildProcess[] = [];
  parts.defer(async () => {
    for (const child of running) await end(child, 'SIGKILL');
  });
  const common = {
    DATABASE_URL: database.url,
    REDIS_URL: server.url,
    DATA_DIR: dir.path,
    SECRET_KEY: key.toString('hex'),
    EMAIL_GATHER_SECONDS: '0.5',
    EMAIL_OWNERS_GATHER_SECONDS: '1',
  };
  return {
    store,
    redis,
    redisUrl: server.url,
    databaseUrl: database.url,
    async start(env = {}) {
      const child = await startNotifier({ ...common, ...env });
      running.push(child);
      return child;
    },
    async set(section, settings) {
      const whole = { ...DEFAULT_NETWORK[section], ...settings };
      await store.settings.set(networkKey(section), mapSecrets(section, whole, secrets.seal));
      await publishChange(redis, 'settings');
    },
    async publish(...names) {
      // At once, so that no pause of this process is between them.
      await Promise.all(names.map((name) => publish(redis, testEvent(name))));
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** @param env All its settings */
export async function startNotifier(env: Record<string, string>): Promise<ChildProcess> {
  const main = path.resolve(import.meta.dirname, '../../apps/notifier/src/main.ts');
  const child = spawn(process.execPath, [main], {
    env: { ...processEnv, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes('"ready"')) break;
  child.stdout.resume();
  return child;
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  return (await exited)[0];
}

export function testEvent(name: string): AuditEvent {
  return sampleEvent({
    id: randomUUID(),
    at: new Date().toISOString(),
    event: name,
    detail: { of: name },
  });
}
