/**
 * The API server of Kubernetes with its etcd, without controllers and nodes: objects are stored
 * after admission, service accounts have the rights of their roles, and nothing runs.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { freePort, type Service, startService, untilReady } from '@portcullis/embedded';
import { json } from '../answers.ts';
import { testEnv } from '../config.ts';
import { temporaryDir } from '../temporary.ts';
import { controlPlane } from '../tools/kube-apiserver.ts';

const TOKEN = 'token-of-the-tests';

export interface KubernetesReply {
  status: number;
  /** An object, or the reason why there is none. */
  body: { message?: string; metadata?: { name?: string } } & Record<string, unknown>;
  /** What the API server, or a webhook of it, warns of. */
  warnings: string[];
}

export interface KubernetesServer extends AsyncDisposable {
  port: number;
  /** The file with the authority of its certificate. */
  ca: string;
  /** As an administrator of the cluster. */
  call(method: string, path: string, body?: unknown, type?: string): Promise<KubernetesReply>;
  /** Another process on the same port, after the work that is done while none is there. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Forgets all versions of objects but the newest, as API servers do every five minutes. */
  compact(): Promise<void>;
}

export async function startKubernetes(): Promise<KubernetesServer> {
  const parts = new AsyncDisposableStack();
  const dir = parts.use(await temporaryDir());
  const { apiServer, etcd } = await controlPlane();
  const env = { PATH: testEnv.PATH, HOME: dir.path };
  const start = async (name: string, command: string, args: string[]) => {
    const service = await startService({ name, command, args, env, cwd: dir.path });
    parts.defer(() => service.stop());
    return service;
  };
  const store = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  await start('etcd', etcd, [
    ...['--data-dir', join(dir.path, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
    ...['--listen-client-urls', store, '--advertise-client-urls', store],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ]);
  const port = await freePort();
  const args = await flags(dir.path, { store, port });
  let service = await start('kube-apiserver', apiServer, args);
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  parts.defer(() => agent.destroy());
  const call: KubernetesServer['call'] = (method, path, body, type = 'application/json') =>
    send(agent, { method, path, port, type, body: body === undefined ? '' : JSON.stringify(body) });
  await ready(service, call).catch(async (error: unknown) => {
    await parts.disposeAsync();
    throw error;
  });
  return {
    port,
    ca: join(dir.path, 'certificates', 'apiserver.crt'),
    call,
    async restart(meanwhile = async () => {}) {
      await service.stop();
      await meanwhile();
      service = await start('kube-apiserver', apiServer, args);
      await ready(service, call);
    },
    compact: () => compact(store),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** By the JSON gateway of etcd: the newest revision is in the header of any answer. */
async function compact(store: string): Promise<void> {
  const ask = async (path: string, body: object) => {
    const answer = await fetch(`${store}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return json(answer);
  };
  const { header } = await ask('/v3/kv/range', { key: btoa('/registry/pods') });
  await ask('/v3/kv/compaction', { revision: header.revision, physical: true });
}

async function flags(dir: string, { store, port }: { store: string; port: number }) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(dir, 'accounts.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const tokens = join(dir, 'tokens.csv');
  await writeFile(tokens, `${TOKEN},ann,1,"system:masters"\n`);
  return [
    ...[`--etcd-servers=${store}`, '--bind-address=127.0.0.1', `--secure-port=${port}`],
    ...[`--cert-dir=${join(dir, 'certificates')}`, `--token-auth-file=${tokens}`],
    ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24'],
    ...['--service-account-issuer=https://kubernetes.default.svc'],
    ...[`--service-account-signing-key-file=${key}`, `--service-account-key-file=${key}`],
    // No controller creates the account that pods would need.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

/** With the namespace of objects that name none, which it creates itself. */
async function ready(service: Service, call: KubernetesServer['call']): Promise<void> {
  const answers = (path: string) =>
    call('GET', path).then(
      ({ status }) => status === 200,
      () => false,
    );
  await untilReady(
    service,
    async () => (await answers('/readyz')) && answers('/api/v1/namespaces/default'),
  );
}

interface Sent {
  method: string;
  path: string;
  port: number;
  type: string;
  body: string;
}

function send(agent: Agent, { body, type, ...where }: Sent): Promise<KubernetesReply> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json',
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    };
    const asking = request({ agent, host: '127.0.0.1', headers, ...where }, async (response) => {
      const chunks = await response.toArray().catch(reject);
      const text = Buffer.concat(chunks ?? []).toString();
      const warnings = [response.headers.warning ?? []].flat().map(String);
      resolve({ status: response.statusCode ?? 0, body: parse(text), warnings });
    });
    asking.once('error', reject);
    asking.end(body);
  });
}

/** Health is told in plain text. */
function parse(text: string): KubernetesReply['body'] {
  return text.startsWith('{') ? JSON.parse(text) : { message: text };
}
