/** For tests only: the api as a process, over real services, so that it can be killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  openSql,
  startRedis,
  startRegistry,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { createTokens } from './auth/tokens.ts';

const MAIN = new URL('./main.ts', import.meta.url).pathname;
const SECRET_KEY = Buffer.alloc(32, 1);
const SESSION_MS = 3_600_000;

export interface ApiProcess {
  url: string;
  output(): string;
  /** Waits for its end. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface Place extends AsyncDisposable {
  env: Record<string, string>;
  store: Store;
  sql: Awaited<ReturnType<typeof openSql>>;
  redis: Redis;
  redisServer: TestServer;
  start(env?: Record<string, string>): Promise<ApiProcess>;
  /** Headers of a session of this account, which is made. */
  session(username: string, flags?: { isAdmin?: boolean }): Promise<Record<string, string>>;
}

export async function openPlace(): Promise<Place> {
  const parts = new AsyncDisposableStack();
  const [database, redisServer, registry, dir] = await Promise.all([
    createDatabase(),
    startRedis(),
    startRegistry(),
    temporaryDir(),
  ]);
  for (const part of [dir, database, redisServer, registry]) parts.use(part);
  const store = openStore(database.url, sealer(SECRET_KEY));
  const sql = await openSql(database.url);
  const redis = openRedis(redisServer.url, { mode: 'fail-fast' });
  await redisReady(redis);
  parts.defer(async () => {
    redis.disconnect();
    await sql.end();
    await store.close();
  });
  const running: ApiProcess[] = [];
  parts.defer(async () => void (await Promise.all(running.map((api) => api.kill()))));
  const env = {
    PATH: process.env.PATH ?? '',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: database.url,
    REDIS_URL: redisServer.url,
    REGISTRY_URL: registry.url,
    DATA_DIR: dir.path,
    SECRET_KEY: SECRET_KEY.toString('hex'),
    ADMIN_PASSWORD: 'a password of the tests',
    EGRESS_ALLOW: '127.0.0.1',
  };
  return {
    env,
    store,
    sql,
    redis,
    redisServer,
    async start(more = {}) {
      const api = await startProcess({ ...env, ...more });
      running.push(api);
      return api;
    },
    async session(username, flags = {}) {
      const { id: userId } = await store.users.insert({ username, passwordHash: null, ...flags });
      const expiresAt = new Date(Date.now() + SESSION_MS);
      const { id: sessionId } = await store.sessions.insert({ userId, expiresAt });
      const token = createTokens(SECRET_KEY).issue({ userId, sessionId }, SESSION_MS / 1000);
      return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function startProcess(env: Record<string, string>): Promise<ApiProcess> {
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
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
  const failed = exited.then(() => Promise.reject(new Error(`the api ended: ${output}`)));
  const port = await Promise.race([listening, failed]);
  failed.catch(() => undefined);
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}
