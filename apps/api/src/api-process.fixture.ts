/** For tests only: the api and the notifier as processes that can be killed, on real services. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  type LossyRedis,
  openSql,
  processEnv,
  startLossyRedis,
  startRegistry,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { createTokens } from './identity/tokens.ts';

const API = new URL('./main.ts', import.meta.url).pathname;
const NOTIFIER = new URL('../../notifier/src/main.ts', import.meta.url).pathname;
const SECRET_KEY = Buffer.alloc(32, 1);
const SESSION_MS = 3_600_000;

interface Process {
  output(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface ApiProcess extends Process {
  url: string;
}

export interface ApiEnvironment extends AsyncDisposable {
  env: Record<string, string>;
  store: Store;
  sql: Awaited<ReturnType<typeof openSql>>;
  redis: Redis;
  redisServer: LossyRedis;
  registry: TestRegistry;
  start(env?: Record<string, string>): Promise<ApiProcess>;
  startNotifier(env?: Record<string, string>): Promise<void>;
  /** Headers with a session of a new account. */
  session(username: string, flags?: { isAdmin?: boolean }): Promise<Record<string, string>>;
}

export async function openApiEnvironment(): Promise<ApiEnvironment> {
  const parts = new AsyncDisposableStack();
  const [database, redisServer, registry, dir] = await Promise.all([
    createDatabase(),
    startLossyRedis(),
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
  const running: Process[] = [];
  parts.defer(async () => void (await Promise.all(running.map((each) => each.kill()))));
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: database.url,
    REDIS_URL: redisServer.url,
    REGISTRY_URL: registry.url,
    DATA_DIR: dir.path,
    SECRET_KEY: SECRET_KEY.toString('hex'),
    ADMIN_PASSWORD: 'a password of the tests',
    EGRESS_ALLOW: '127.0.0.1',
    RATE_LIMIT_ENABLED: 'false',
  };
  return {
    env,
    store,
    sql,
    redis,
    redisServer,
    registry,
    async start(more = {}) {
      const { ready, ...api } = await startProcess(API, { ...env, ...more }, LISTENING);
      running.push(api);
      return { ...api, url: `http://127.0.0.1:${ready}` };
    },
    async startNotifier(more = {}) {
      running.push(await startProcess(NOTIFIER, { ...env, ...more }, READY));
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

const LISTENING = /"port":(\d+),"msg":"listening"/;
const READY = /"msg":"(ready)"/;

async function startProcess(
  main: string,
  env: Record<string, string>,
  sign: RegExp,
): Promise<Process & { ready: string }> {
  const child = spawn(process.execPath, [main], {
    env: { ...processEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const up = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = sign.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const failed = exited.then(() => Promise.reject(new Error(`${main} ended: ${output}`)));
  const ready = await Promise.race([up, failed]);
  failed.catch(() => undefined);
  return {
    ready,
    output: () => output,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}
