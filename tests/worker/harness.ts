/**
 * Test environment of a worker: a real database, Redis and local registry, and workers as
 * processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type JobStatus, type Push, requestPush, type StagingJob } from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import type { RegistryStorage } from '@portcullis/local-registry';
import { openQueues, type Queues } from '@portcullis/queue';
import { openRedis, type Redis, sealer } from '@portcullis/runtime';
import { type NewJob, openStore, type Store, type User } from '@portcullis/store';
import {
  createDatabase,
  eventually,
  type LossyRedis,
  PATIENCE_MS,
  processEnv,
  startRedis,
  startRegistry,
  type TestRegistry,
  temporaryDir,
  testTrivy,
  unshared,
} from '@portcullis/testing';
import { announcing } from '../../apps/api/src/identity/change-notifications.ts';

export interface WorkerProcess {
  pid: number;
  lines: string[];
  /** Waits until it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface Harness extends AsyncDisposable {
  store: Store;
  queues: Queues;
  redis: Redis;
  registry: TestRegistry;
  dataDir: string;
  databaseUrl: string;
  /** The environment of its workers. */
  env: Readonly<Record<string, string>>;
  /** Encrypts as secrets are stored. */
  seal(text: string): string;
  admin: User;
  alice: User;
  /** `prefix` is a command that runs the command after it, in another namespace say. */
  startWorker(env?: Record<string, string>, prefix?: readonly string[]): Promise<WorkerProcess>;
  /**
   * A worker with its own host name and process ids, as in a container. Only SIGKILL reaches it.
   */
  startHost(name: string, env?: Record<string, string>): Promise<WorkerProcess>;
  submit(job: Partial<NewJob> & Pick<NewJob, 'image'> & { host: string }): Promise<StagingJob>;
  push(jobId: string, push: Partial<Push> & Pick<Push, 'repository'>): Promise<StagingJob>;
  /** Resolves with the job once `done` is true. */
  until(
    jobId: string,
    done: (job: StagingJob) => boolean,
    patienceMs?: number,
  ): Promise<StagingJob>;
  settled(jobId: string, patienceMs?: number): Promise<StagingJob>;
}

/**
 * Records the tests' Trivy as ready, so that a worker neither looks for one nor builds one. Results
 * that depend on its version are only reused where the version is its own.
 */
export async function provideTrivy(
  { dataDir }: Pick<Harness, 'dataDir'>,
  version = '0',
  program?: string,
): Promise<void> {
  const state = {
    state: 'ready',
    path: program ?? (await testTrivy()),
    version,
    message: 'ready',
    at: new Date().toISOString(),
  };
  const dir = path.join(dataDir, 'trivy');
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, 'scanner.json'), JSON.stringify(state));
}

const MAIN = path.resolve(import.meta.dirname, '../../apps/worker/src/main.ts');

export interface HarnessOptions {
  /** PostgreSQL and Redis as `npm start` runs them, for benchmarks. */
  asDelivered?: boolean;
  /** A Redis whose data a test can delete. */
  redis?: LossyRedis;
  /** Storage of the local registry; default: a directory. */
  storage?: RegistryStorage;
}

export async function openHarness({
  asDelivered = false,
  redis: given,
  storage,
}: HarnessOptions = {}): Promise<Harness> {
  const parts = new AsyncDisposableStack();
  const [database, redisServer, registry, dir] = await Promise.all([
    createDatabase({ asDelivered }),
    given ?? startRedis({ asDelivered }),
    startRegistry(storage ? { storage } : {}),
    temporaryDir(),
  ]);
  for (const part of [dir, database, redisServer, registry]) parts.use(part);
  const secretKey = randomBytes(32).toString('hex');
  const { seal, open } = sealer(Buffer.from(secretKey, 'hex'));
  const redis = openRedis(redisServer.url, { mode: 'patient' });
  // As the api does, so that workers drop what they remember of accounts and folders.
  const store = announcing(openStore(database.url, { seal, open }), () =>
    publishChange(redis, 'access'),
  );
  const queues = openQueues(redis);
  parts.defer(async () => {
    await queues.close();
    redis.disconnect();
    await store.close();
  });
  const workers: WorkerProcess[] = [];
  parts.defer(
    async () => void (await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))),
  );
  await store.folders.ensureRoot();
  const admin = await store.users.insert({ username: 'root', passwordHash: null, isAdmin: true });
  const alice = await store.users.insert({ username: 'alice', passwordHash: null });

  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: redisServer.url,
    REGISTRY_URL: registry.url,
    DATA_DIR: dir.path,
    SECRET_KEY: secretKey,
    TRIVY_ENABLED: 'false',
    EPSS_URL: 'off',
    KEV_URL: 'off',
    WORKER_GRACE_SECONDS: '0',
    STAGE_BACKOFF_SECONDS: '0.2',
    SWEEP_SECONDS: '1',
    LOG_LEVEL: 'debug',
  };

  async function until(
    jobId: string,
    done: (job: StagingJob) => boolean,
    patienceMs = PATIENCE_MS,
  ): Promise<StagingJob> {
    return eventually(() => store.jobs.get(jobId), done, {
      describe: ({ status, error, timeline, progress }) =>
        `still ${status}: ${JSON.stringify({ error, timeline, progress })}`,
      patienceMs,
    });
  }

  return {
    store,
    queues,
    redis,
    registry,
    dataDir: dir.path,
    databaseUrl: database.url,
    env: environment,
    seal,
    admin,
    alice,
    until,
    settled: (jobId, patienceMs) =>
      until(jobId, ({ status }) => SETTLED.includes(status), patienceMs),
    async startWorker(env = {}, prefix = []) {
      const worker = await startWorkerProcess({ ...environment, ...env }, prefix);
      workers.push(worker);
      return worker;
    },
    async startHost(name, env = {}) {
      const host = await startWorkerProcess({ ...environment, ...env }, onHost(name));
      workers.push(host);
      return host;
    },
    async submit({ host, ...job }) {
      const source = { kind: 'host', registryId: null, host } as const;
      const inserted = await store.jobs.insert({
        ownerId: admin.id,
        tag: 'latest',
        source,
        ...job,
      });
      await queues.dispatch(inserted);
      return inserted;
    },
    async push(jobId, push) {
      const now = new Date();
      const queued = await store.jobs.update(jobId, (job) =>
        requestPush(job, { ...pushBy(admin, registry.host), ...push }, now),
      );
      await queues.dispatch(queued);
      return queued;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const SETTLED: readonly JobStatus[] = ['staged', 'pushed', 'failed', 'cancelled'];

export function pushBy(
  user: Pick<User, 'id' | 'username'>,
  host: string,
): Omit<Push, 'repository'> {
  return {
    id: randomUUID(),
    status: 'queued',
    kind: 'local',
    registryId: null,
    host,
    tag: 'latest',
    digest: null,
    bytesDone: 0,
    bytesTotal: 0,
    bytesMounted: 0,
    error: null,
    bypass: { allowed: true, reason: null },
    requestedById: user.id,
    requestedBy: user.username,
    createdAt: new Date(),
    finishedAt: null,
  };
}

function onHost(name: string): string[] {
  const kinds = ['--uts', '--pid', '--mount-proc', '--fork', '--kill-child=SIGKILL'];
  return [...unshared(...kinds), 'sh', '-c', `hostname ${name} && exec "$@"`, 'sh'];
}

export async function startWorkerProcess(
  env: Record<string, string>,
  prefix: readonly string[] = [],
): Promise<WorkerProcess> {
  const [command = '', ...args] = [...prefix, process.execPath, MAIN];
  const child = spawn(command, args, {
    env: { ...processEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (line.includes('"msg":"ready"')) resolve();
      });
    }
  });
  const failed = exited.then(() =>
    Promise.reject(new Error(`the worker ended: ${lines.join('\n')}`)),
  );
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  return { pid: child.pid ?? 0, lines, kill: (signal) => kill(child, signal, exited) };
}

async function kill(
  child: ChildProcess,
  signal: NodeJS.Signals,
  exited: Promise<unknown>,
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  await exited;
}
