/** Two processes of the api, a worker that scans, and an upstream that counts requests. */
import type { PolicyRules } from '@portcullis/domain';
import { DEFAULT_POLICY, defaultPolicy } from '@portcullis/domain';
import type { GrantFlags } from '@portcullis/store';
import {
  buildIndex,
  debianImage,
  openSql,
  pushImage,
  randomFiles,
  refusal,
  serveVulnerabilityDb,
  startRegistry,
  type TestImage,
  type TestRegistry,
  testTrivy,
} from '@portcullis/testing';
import { type Client, startApi, type TestApi } from '../../../apps/api/src/api.fixture.ts';
import { startWorkerProcess, type WorkerProcess } from '../../worker/harness.ts';
import { type FaultyRegistry, startProxy } from '../../worker/proxy.ts';

const CLEAN = [{ name: 'tzdata', version: '2024a-0' }];
const FLAWED = [{ name: 'openssl', version: '3.0.11-1~deb12u1' }];
const ACCEPT = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

export interface MirrorSite extends AsyncDisposable {
  api: TestApi;
  /** Another process of the same installation. */
  second: TestApi;
  worker: WorkerProcess;
  /** Another one, with the same settings. */
  startWorker(): Promise<WorkerProcess>;
  admin: Client;
  upstream: FaultyRegistry;
  /** What the upstream forwards to. */
  origin: TestRegistry;
  sql: Awaited<ReturnType<typeof openSql>>;
  /** Pushes to the upstream; a clean image has no vulnerability. `bytes`: of its last layer. */
  publish(repository: string, tag: string, kind: Kind, bytes?: number): Promise<TestImage>;
  /** An image for linux/amd64 and linux/arm64, clean unless said otherwise, in this order. */
  publishIndex(repository: string, tag: string, kinds?: [Kind, Kind]): Promise<TestImage>;
  /** A folder that mirrors a registry; null: Docker Hub. */
  mirror(name: string, settings?: Record<string, unknown>): Promise<void>;
  saveRegistry(host: string, login?: { username: string; password: string }): Promise<string>;
  read(path: string, how?: How): Promise<Response>;
  /** Makes the checks of all tags due. */
  due(): Promise<void>;
  jobsOf(repository: string, tag?: string): Promise<{ id: string; status: string }[]>;
  usePolicy(folder: string, change: Partial<PolicyRules>): Promise<void>;
}

type Kind = 'clean' | 'flawed';

interface How {
  by?: string;
  method?: string;
  from?: Pick<TestApi, 'url'>;
}

export const SECRET_KEY = Buffer.alloc(32, 1).toString('hex');
export const METRICS_TOKEN = 'the token of metrics';

/**
 * @param ofWorker more settings of the worker
 * @param ofAll more settings of all processes
 */
export async function openMirrorSite(
  ofWorker: Record<string, string> = {},
  ofAll: Record<string, string> = {},
): Promise<MirrorSite> {
  const parts = new AsyncDisposableStack();
  const trivy = await testTrivy();
  const origin = await startRegistry();
  parts.defer(origin.stop);
  const upstream = parts.use(await startProxy(origin.url));
  const env = {
    ...{ PULL_GATE_WAIT_SECONDS: '50', DOCKERHUB_HOST: upstream.host },
    METRICS_TOKEN,
    ...ofAll,
  };
  const api = await startApi(env);
  parts.defer(api.stop);
  const second = await startApi(env, api);
  parts.defer(second.stop);
  const settings = {
    ...api.surroundings.env,
    ...{ SECRET_KEY, EPSS_URL: 'off', KEV_URL: 'off', SWEEP_SECONDS: '1', LOG_LEVEL: 'debug' },
    ...{ WORKER_GRACE_SECONDS: '0', STAGE_BACKOFF_SECONDS: '0.2', EGRESS_ALLOW: '127.0.0.1' },
    ...{ TRIVY_PATH: trivy, DOCKERHUB_HOST: upstream.host },
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(api.registry.url),
    ...ofAll,
    ...ofWorker,
  };
  const startWorker = async () => {
    const started = await startWorkerProcess(settings);
    parts.defer(() => started.kill('SIGKILL'));
    return started;
  };
  const worker = await startWorker();
  const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  parts.defer(() => sql.end());
  await api.account('root', { isAdmin: true });
  const [dev, reader] = [await api.account('dev'), await api.account('reader')];
  const admin = await api.as('root');
  let serial = 0;

  return {
    ...{ api, second, worker, startWorker, admin, upstream, origin, sql },
    async publish(repository, tag, kind, bytes = 4_000) {
      const more = [randomFiles(bytes, `${++serial}.bin`)];
      const image = await debianImage({ packages: packagesOf(kind), more });
      await pushImage(origin.url, repository, tag, image);
      return image;
    },
    async publishIndex(repository, tag, [amd64, arm64] = ['clean', 'clean']) {
      const of = (platform: string, kind: Kind) => {
        const more = [randomFiles(1_000, `${++serial}.bin`)];
        return debianImage({ packages: packagesOf(kind), platform, more });
      };
      const image = buildIndex([await of('linux/amd64', amd64), await of('linux/arm64', arm64)]);
      await pushImage(origin.url, repository, tag, image);
      return image;
    },
    async mirror(name, settings = {}) {
      const pull: Partial<GrantFlags> = { canPull: true };
      const { folderId } = await api.grant(dev, name, { ...pull, canPullExternal: true });
      await api.grant(reader, name, pull);
      const registry_id = await save(admin, upstream.host);
      const mirror = { registry_id, ...settings };
      const changed = await admin.patch(`/api/folders/${folderId}`, {
        mirror,
        pull_gate: 'enforce',
      });
      if (changed.status !== 200) throw new Error(JSON.stringify(await changed.json()));
    },
    saveRegistry: (host, login) => save(admin, host, login),
    read(path, { by = 'dev', method = 'GET', from = api } = {}) {
      const authorization = `Basic ${Buffer.from(`${by}:pass-of-${by}`).toString('base64')}`;
      return fetch(`${from.url}/v2/${path}`, {
        method,
        headers: { accept: ACCEPT, authorization },
      });
    },
    async due() {
      await sql.query(`UPDATE mirror_tags SET due_at = now() - interval '1 second'`);
    },
    async jobsOf(repository, tag) {
      const { rows } = await sql.query(
        `SELECT id::text, status FROM staging_jobs
          WHERE image = $1 AND ($2::text IS NULL OR tag = $2) ORDER BY created_at`,
        [repository, tag ?? null],
      );
      return rows;
    },
    async usePolicy(folder, change) {
      const { id: _, name: __, version: ___, ...rules } = defaultPolicy(DEFAULT_POLICY);
      const name = `policy-${++serial}`;
      const wanted = { name, rules: { ...rules, ...change }, savedBy: 'root' };
      const { id } = await api.store.policies.insertPolicy(wanted);
      await admin.patch(`/api/folders/${folder}`, { policy_id: id });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

function packagesOf(kind: Kind) {
  return kind === 'clean' ? CLEAN : FLAWED;
}

async function save(admin: Client, host: string, login = {}): Promise<string> {
  const made = await admin.post('/api/registries', {
    ...{ name: `${host} ${Object.values(login).join()}`, host, owner: 'global', use_tls: false },
    ...login,
  });
  const body = await made.json();
  if (made.status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

export async function messageOf(response: Response): Promise<string> {
  const { errors } = (await refusal(response)) as { errors: { message: string }[] };
  return errors[0]?.message ?? '';
}
