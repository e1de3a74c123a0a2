/** For tests only: the api with real PostgreSQL, Redis and registry, on a separate port. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { StagingJob } from '@portcullis/domain';
import {
  type AuditEvent,
  createAuditLog,
  liveNetwork,
  liveSettings,
  liveThreatFeeds,
  recent,
} from '@portcullis/events';
import { createPasswords } from '@portcullis/passwords';
import { openQueues, type Queues } from '@portcullis/queue';
import {
  createLogger,
  createMetrics,
  openRedis,
  type Redis,
  redisReady,
  sealer,
} from '@portcullis/runtime';
import { type GrantFlags, openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  eventually,
  startRedis,
  startRegistry,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import type { AdmissionListener } from './admission/admission-listener.ts';
import { createApp } from './app.ts';
import { openApiEgress } from './compose/egress.ts';
import { type ApiConfig, readConfig } from './config.ts';
import { listen } from './server.ts';

export interface TestApi {
  surroundings: Surroundings;
  url: string;
  host: string;
  store: Store;
  redis: Redis;
  queues: Queues;
  registry: TestRegistry;
  log: string[];
  dataDir: string;
  stopRedis(): Promise<void>;
  /** An account with the password `pass-of-<username>`. */
  account(
    username: string,
    flags?: { isAdmin?: boolean; canBypassVulnBlock?: boolean },
  ): Promise<string>;
  /** Creates a folder, and a group with a grant on it that has the account as a member. */
  grant(
    userId: string,
    folder: string,
    flags: Partial<GrantFlags>,
  ): Promise<{ folderId: string; groupId: string }>;
  as(username: string): Promise<Client>;
  checkMirrors(): Promise<void>;
  /** The webhook for clusters; null where no port is set for it. */
  admission: AdmissionListener | null;
  /** Ends long responses, as a stopping process does first; the server continues to run. */
  close(): void;
  stop(): Promise<void>;
}

export interface Client {
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  put(path: string, body: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
}

/** The services that processes share. */
interface Surroundings {
  env: Record<string, string>;
  registry: TestRegistry;
  dataDir: string;
  stopRedis(): Promise<void>;
  stop(): Promise<void>;
}

async function startSurroundings(): Promise<Surroundings> {
  const [database, redis, registry, dir] = await Promise.all([
    createDatabase(),
    startRedis(),
    startRegistry(),
    temporaryDir(),
  ]);
  return {
    env: {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      REGISTRY_URL: registry.url,
      REGISTRY_STORAGE: registry.storageDir,
      DATA_DIR: dir.path,
    },
    registry,
    dataDir: dir.path,
    stopRedis: redis.stop,
    async stop() {
      await Promise.all([database.stop(), redis.stop(), registry.stop()]);
      await dir.remove();
    },
  };
}

/**
 * Starts the only process, or another one beside the services of `beside`, which are stopped last.
 */
export async function startApi(
  env: Record<string, string> = {},
  beside?: Pick<TestApi, 'surroundings'>,
): Promise<TestApi> {
  const surroundings = beside?.surroundings ?? (await startSurroundings());
  const config = readConfig({
    ...surroundings.env,
    // How many requests a test sends in a minute depends on the machine.
    RATE_LIMIT_ENABLED: 'false',
    LOGIN_LIMIT_PER_ACCOUNT: '5',
    EGRESS_ALLOW: '127.0.0.1',
    ...env,
  });
  const log: string[] = [];
  const parts = await assemble(config, log);
  const { redis, audit, queues, passwords, egress, settings, network, server, api } = parts;
  const { store } = api;
  const listening = await listen(server, 0, '127.0.0.1');
  parts.port = listening.port;
  const host = `127.0.0.1:${listening.port}`;
  const url = `http://${host}`;
  await store.folders.ensureRoot();

  async function account(username: string, flags = {}): Promise<string> {
    const passwordHash = await passwords.hash(`pass-of-${username}`);
    return (await store.users.insert({ username, passwordHash, ...flags })).id;
  }

  async function grant(userId: string, name: string, flags: Partial<GrantFlags>) {
    const folder = (await store.folders.find(name)) ?? (await store.folders.insertFolder({ name }));
    const group = await store.groups.insertGroup({ name: randomUUID() });
    await store.groups.addMember(group.id, userId);
    await store.folders.grant(folder.id, group.id, flags);
    return { folderId: folder.id, groupId: group.id };
  }

  async function signIn(username: string): Promise<Client> {
    const response = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ username, password: `pass-of-${username}` }),
    });
    if (!response.ok) throw new Error(`${username}: ${response.status} ${await response.text()}`);
    return clientOf(url, (await response.json()).access_token);
  }

  /** One after the other, because of the passwords of one address few may wait to be checked. */
  let signedIn: Promise<unknown> = Promise.resolve();
  function as(username: string): Promise<Client> {
    const client = signedIn.then(() => signIn(username));
    signedIn = client.catch(() => {});
    return client;
  }

  async function stop(): Promise<void> {
    api.close();
    await listening.stop(5_000);
    await api.admission?.stop();
    egress.close();
    network.stop();
    settings.close();
    await passwords.close();
    await queues.close();
    await audit.stop?.();
    redis.disconnect();
    await store.close();
    if (!beside) await surroundings.stop();
  }

  return {
    surroundings,
    url,
    host,
    store,
    redis,
    queues,
    registry: surroundings.registry,
    log,
    dataDir: surroundings.dataDir,
    stopRedis: surroundings.stopRedis,
    account,
    grant,
    as,
    checkMirrors: api.checkMirrors,
    admission: api.admission?.listener ?? null,
    close: api.close,
    stop,
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function assemble(config: ApiConfig, lines: string[]) {
  const secretKey = Buffer.alloc(32, 1);
  const log = createLogger({
    name: 'api',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  const store = openStore(config.DATABASE_URL, sealer(secretKey));
  const redis = openRedis(config.REDIS_URL, { mode: 'fail-fast', log });
  await redisReady(redis);
  const audit = createAuditLog({ redis, outbox: store.outbox, log });
  await audit.start?.();
  const queues = openQueues(redis, { log });
  const passwords = createPasswords({ cost: 4 });
  const settings = liveSettings(redis, store.settings);
  const { open } = sealer(secretKey);
  const network = liveNetwork({ settings, env: config.network, open, log });
  await network.start();
  const feeds = liveThreatFeeds({ settings, feeds: store.feeds, log });
  await feeds.start?.();
  const egress = await openApiEgress(config, { network, log });
  const parts = {
    store,
    redis,
    audit,
    queues,
    passwords,
    egress,
    settings,
    network,
    feeds,
    port: 0,
  };
  const api = createApp({
    ...parts,
    config,
    secretKey,
    log,
    metrics: createMetrics({ defaults: false }),
    checkReplies: true,
    port: () => parts.port,
  });
  return Object.assign(parts, { api, server: createServer(api.app) });
}

export function clientOf(url: string, token: string): Client {
  const headers = { authorization: `Bearer ${token}` };

  function send(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const sent = body !== undefined && { body: JSON.stringify(body) };
    return fetch(url + path, {
      method,
      headers: { ...headers, ...(sent && JSON_TYPE), ...more },
      ...sent,
    });
  }

  return {
    token,
    get: (path, more = {}) => send('GET', path, undefined, more),
    post: (path, body, more = {}) => send('POST', path, body, more),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  };
}

/**
 * A change of rights applies to requests made a second later. However slow the machine is, the last
 * attempt begins after that second.
 */
export async function withinASecond(holds: () => unknown): Promise<void> {
  const attempt = async () => {
    try {
      await holds();
      return true;
    } catch {
      return false;
    }
  };
  const held = await eventually(attempt, Boolean, { patienceMs: 1_000 }).catch(() => false);
  if (!held) await holds();
}

/**
 * The newest events, with those of all answered requests: on a slow machine, a response is sent
 * before its event is on the stream.
 */
export async function published(
  { store, redis }: Pick<TestApi, 'store' | 'redis'>,
  limit?: number,
): Promise<AuditEvent[]> {
  await eventually(async () => (await store.outbox.waiting()).count === 0);
  return recent(redis, limit);
}

/** A job as a worker would leave it. */
export function stagedAs(verdict: StagingJob['verdict']): (job: StagingJob) => StagingJob {
  return (job) => ({
    ...job,
    status: 'staged',
    verdict,
    digest: `sha256:${'a'.repeat(64)}`,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    size: 1234,
  });
}

/** The status and the error code. */
export async function codeOf(response: Response | Promise<Response>): Promise<[number, string]> {
  const answered = await response;
  return [answered.status, (await answered.json()).code];
}
