/**
 * `pcs agent` behind a real API server of Kubernetes, with the role that its manifest has: what it
 * reports while pods come and go, and while everything that it needs is away for a time.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Service, startService } from '@portcullis/embedded';
import {
  type CiIssuer,
  eventually,
  json,
  type KubernetesServer,
  startCiIssuer,
  startKubernetes,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { objectsOf, type Rendered } from '../support/helm-chart.ts';
import { bundlePcs, type Pcs } from './bundled.ts';

const MANIFEST = path.resolve(import.meta.dirname, '../../deploy/agent/agent.yaml');
const HOST = 'registry.example.com';
const NAMESPACE = 'portcullis';
const ACCOUNT = 'portcullis-agent';
const SUBJECT = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
const MERGE = 'application/merge-patch+json';
/** More than a page of a list. */
const MANY = 300;

const parts = new AsyncDisposableStack();
const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const [ONE, TWO] = [digestOf('a'), digestOf('b')];
let api: TestApi;
let admin: Client;
let cluster: KubernetesServer;
let issuer: CiIssuer;
let pcs: Pcs;
let file: string;
let dir: string;
let manifest: Rendered[];
let robotId: string;
let adminToken: string;
let count = 0;

beforeAll(async () => {
  dir = parts.use(await temporaryDir()).path;
  [api, cluster, issuer, { pcs, file }] = await Promise.all([
    startApi(),
    startKubernetes(),
    startCiIssuer(),
    bundlePcs(dir),
  ]);
  parts.defer(() => api.stop());
  parts.defer(() => issuer.stop());
  parts.use(cluster);
  manifest = objectsOf(await readFile(MANIFEST, 'utf8'));
  const boss = await api.account('boss', { isAdmin: true });
  admin = await api.as('boss');
  const { groupId } = await api.grant(boss, 'team', { canPull: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  for (const name of ['team/app', 'secret/app']) await record(name);
  const order = { name: 'agent', owner_group_id: groupId };
  robotId = (await json(admin.post('/api/robots', order))).id;
  await json(
    admin.post('/api/trusts', {
      ...{ name: 'cluster', issuer: issuer.issuer, audience: api.url, robot_id: robotId },
      conditions: { sub: [SUBJECT] },
      scope: { api: true, registry: false, folders: 'all', actions: ['pull'] },
    }),
  );
  adminToken = admin.token;
  for (const object of manifest.filter(({ kind }) => kind === 'Namespace')) await apply(object);
  for (const object of manifest.filter(({ kind }) => kind === 'ServiceAccount'))
    await apply(object);
  for (const name of ['shop', 'blog'])
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as Rendered);
});

afterAll(() => parts.disposeAsync());

const PLURALS: Record<string, string> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  Deployment: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
};

async function apply(object: Rendered): Promise<void> {
  const { status, body } = await cluster.call('POST', PLURALS[object.kind] ?? '', object);
  expect(status, body.message).toBe(201);
}

/** In the index of the registry, so that its readers are known. */
function record(repository: string) {
  const manifests = [ONE, TWO].map((digest) => ({
    ...{ digest, mediaType: 'm', artifactType: null, subject: null, size: 1 },
    ...{ platforms: ['linux/amd64'], contents: [] },
  }));
  return api.store.images.record({ repository, tag: '1', digest: ONE, manifests });
}

/** As the kubelet writes it into the pod. */
async function accountFolder(): Promise<string> {
  const folder = path.join(dir, `account-${++count}`);
  await mkdir(folder);
  await writeFile(path.join(folder, 'ca.crt'), await readFile(cluster.ca));
  await giveToken(folder, ACCOUNT);
  return folder;
}

async function giveToken(folder: string, account: string): Promise<void> {
  const place = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { body } = await cluster.call('POST', place, request);
  const { token } = body.status as { token: string };
  await writeFile(path.join(folder, 'token'), token);
}

async function identityFile(): Promise<string> {
  const name = path.join(dir, `identity-${++count}`);
  await writeFile(name, issuer.sign({ sub: SUBJECT, aud: [api.url] }));
  return name;
}

interface Agent {
  service: Service;
  said: string[];
}

async function startAgent(name: string, account: string, signIn: string[]): Promise<Agent> {
  const said: string[] = [];
  const { PATH = '' } = process.env;
  const service = await startService({
    ...{ name: 'agent', command: process.execPath, cwd: dir, onLine: (line) => said.push(line) },
    args: [
      ...[file, 'agent', name, '--host', HOST, '--service-account', account],
      ...['--cache', path.join(dir, 'tokens'), ...signIn],
    ],
    env: {
      ...{ PATH, HOME: dir, PORTCULLIS_URL: api.url },
      ...{ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(cluster.port) },
    },
  });
  return { service, said };
}

const says = ({ said }: Agent, text: string | RegExp) =>
  eventually(
    () => said,
    (lines) => lines.some((line) => line.search(text) >= 0),
  );

async function startPod(
  image: string,
  imageID: string,
  { namespace = 'shop', phase = 'Running' } = {},
): Promise<{ name: string; namespace: string }> {
  const name = `app-${++count}`;
  const place = `/api/v1/namespaces/${namespace}/pods`;
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
    spec: { containers: [{ name: 'app', image }] },
  };
  const { status, body } = await cluster.call('POST', place, pod);
  expect(status, body.message).toBe(201);
  await setStatus(
    { name, namespace },
    {
      phase,
      containerStatuses: [
        {
          ...{ name: 'app', image, imageID, ready: true, restartCount: 0 },
          state: { running: {} },
        },
      ],
    },
  );
  return { name, namespace };
}

interface PodName {
  name: string;
  namespace: string;
}

const placeOf = ({ name, namespace }: PodName) => `/api/v1/namespaces/${namespace}/pods/${name}`;

async function setStatus(pod: PodName, status: object): Promise<void> {
  const reply = await cluster.call('PATCH', `${placeOf(pod)}/status`, { status }, MERGE);
  expect(reply.status, reply.body.message).toBe(200);
}

async function remove(pod: PodName): Promise<void> {
  const { status } = await cluster.call('DELETE', `${placeOf(pod)}?gracePeriodSeconds=0`);
  expect(status).toBe(200);
}

/** As `pcs running` says it. */
async function running(name = 'eu'): Promise<string[]> {
  const env = { PORTCULLIS_URL: api.url, PORTCULLIS_TOKEN: adminToken };
  const { code, out, err } = await pcs(['running', '--cluster', name, '--json'], { env });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out).images.map(
    (each: Record<string, string>) =>
      `${each.namespace} ${each.repository} ${each.digest?.slice(7, 8)} ${each.source}`,
  );
}

const runs = (...expected: string[]) => expect.poll(() => running()).toEqual(expected);
const own = (repository: string, digest: string) => `${HOST}/${repository}@${digest}`;
const clusters = async () =>
  (await json(admin.get('/api/clusters'))).map(
    ({ name, reporter, not_known }: Record<string, { name: string } | null>) =>
      `${name} ${reporter?.name} ${not_known}`,
  );

describe('an agent', () => {
  let agent: Agent;
  let account: string;
  let first: PodName;

  beforeAll(async () => {
    account = await accountFolder();
    await Promise.all(
      Array.from({ length: MANY }, () =>
        startPod('docker.io/library/nginx:1', `docker.io/library/nginx@${TWO}`),
      ),
    );
    first = await startPod(`${HOST}/team/app:1`, own('team/app', ONE));
    await startPod(`${HOST}/secret/app:1`, own('secret/app', ONE));
    agent = await startAgent('eu', account, ['--identity-file', await identityFile()]);
    parts.defer(() => agent.service.stop());
  });

  it('without the cluster role says what it lacks, and goes on as soon as it has it', async () => {
    await says(agent, /may not read pods.*cluster role with get, list and watch.*PODS_FORBIDDEN/);
    for (const object of manifest.filter(({ kind }) => kind.startsWith('ClusterRole')))
      await apply(object);
    await runs('shop team/app a agent');
    await says(agent, 'reported 1 image by namespace; 1 more are of folders');
  });

  it('reports pods that come and go, of every namespace, and what nodes do not say', async () => {
    const second = await startPod(
      `${HOST}/team/app:2`,
      `docker-pullable://${own('team/app', TWO)}`,
      {
        namespace: 'blog',
      },
    );
    const unknown = await startPod(`${HOST}/team/app:3`, digestOf('c'));
    await runs('shop team/app a agent', 'blog team/app b agent');
    await expect.poll(clusters).toEqual(['eu agent 1']);
    await setStatus(second, { phase: 'Succeeded' });
    await runs('shop team/app a agent');
    await remove(first);
    await remove(unknown);
    await runs();
    await expect.poll(clusters).toEqual(['eu agent 0']);
    first = await startPod(`${HOST}/team/app:1`, own('team/app', ONE));
    await runs('shop team/app a agent');
  });

  it('follows an API server that was away, with what changed at once after it', async () => {
    await cluster.restart();
    const second = await startPod(`${HOST}/team/app:2`, own('team/app', TWO));
    await runs('shop team/app a agent', 'shop team/app b agent');
    await remove(second);
    await runs('shop team/app a agent');
  });

  it('lists the pods again where what changed meanwhile is forgotten', async () => {
    process.kill(agent.service.pid, 'SIGSTOP');
    await remove(first);
    const second = await startPod(`${HOST}/team/app:2`, own('team/app', TWO));
    await remove(await startPod(`${HOST}/team/app:2`, own('team/app', TWO)));
    await cluster.restart(cluster.compact);
    process.kill(agent.service.pid, 'SIGCONT');
    await runs('shop team/app b agent');
    await remove(second);
    await runs();
  });

  it('uses the token that replaces one that has ended', async () => {
    const name = 'next';
    await apply({
      ...object('ServiceAccount'),
      metadata: { name, namespace: NAMESPACE },
    } as Rendered);
    const binding = object('ClusterRoleBinding') as Rendered & { subjects: object[] };
    const subjects = [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }];
    await apply({ ...binding, metadata: { name }, subjects } as Rendered);
    await giveToken(account, name);
    await cluster.call('DELETE', `${PLURALS.ServiceAccount}/${ACCOUNT}`);
    await cluster.restart();
    await startPod(`${HOST}/team/app:1`, own('team/app', ONE), { namespace: 'blog' });
    await runs('blog team/app a agent');
    await writeFile(path.join(account, 'token'), 'not-a-token');
    await cluster.restart();
    await says(agent, 'PODS_UNAUTHENTICATED');
    await giveToken(account, name);
    await startPod(`${HOST}/team/app:2`, own('team/app', TWO), { namespace: 'blog' });
    await runs('blog team/app a agent', 'blog team/app b agent');
  });

  it('is refused where another one reports, and reports once it is released', async () => {
    const token = path.join(dir, 'robot-token');
    await writeFile(token, 'ptr_no-token\n');
    const other = await startAgent('eu', account, ['--token-file', token]);
    onTestFinished(() => other.service.stop());
    await says(other, /not reported, tries again: .*TOKEN_INVALID/);
    const robot = await json(admin.post('/api/robots', { name: 'other' }));
    const body = { name: 'other', scope: 'api', expires_in_days: 1 };
    const made = await json(admin.post(`/api/robots/${robot.id}/tokens`, body));
    await writeFile(token, `${made.token}\n`);
    await says(other, /not reported, tries again: another account reports.*CLUSTER_TAKEN/);
    await agent.service.stop();
    expect(await agent.service.exited).toEqual({ code: 0, signal: null });
    expect((await admin.delete('/api/clusters/eu')).status).toBe(204);
    await expect.poll(clusters).toEqual(['eu other 0']);
    await says(other, 'reported 0 images by namespace; 3 more are of folders');
  });
});

/** Of the manifest. */
function object(kind: string): Rendered {
  const found = manifest.find((each) => each.kind === kind);
  if (!found) throw new Error(`the manifest has no ${kind}`);
  return structuredClone(found);
}

it('the manifest is what an API server accepts', () => apply(object('Deployment')));
