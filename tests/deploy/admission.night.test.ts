/**
 * The admission webhook behind a real API server of Kubernetes, with the configurations that the
 * chart delivers.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanReport } from '@portcullis/domain';
import { run } from '@portcullis/embedded';
import { publishReports } from '@portcullis/events';
import {
  eventually,
  type KubernetesReply,
  type KubernetesServer,
  makeCertificate,
  pushImage,
  randomImage,
  startKubernetes,
  type TestImage,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AdmissionServer,
  admissionServer,
} from '../../apps/api/src/admission/admission-server.ts';
import { startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { blockedReport, cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { objectsOf } from '../support/helm-chart.ts';
import { openHelm } from './chart/values-files.ts';
import { KUBE_KINDS, type KubeKind, objectOf, specOf } from './kube-objects.ts';

const HOST = 'registry.example.com';
const REFUSED =
  'blocked by policy "default": 1 critical (CVE-2026-1234 in openssl 3.0.1, fixed in 3.0.2)';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

const parts = new AsyncDisposableStack();
let cluster: KubernetesServer;
let api: TestApi;
let webhook: AdmissionServer;
let count = 0;

beforeAll(async () => {
  const dir = parts.use(await temporaryDir());
  const { certificate, key } = makeCertificate();
  const files = { certificate: join(dir.path, 'crt'), key: join(dir.path, 'key'), clientCa: null };
  await writeFile(files.certificate, certificate);
  await writeFile(files.key, key);
  [api, cluster] = await Promise.all([
    startApi({
      ...{ ADMISSION_PORT: '0', ADMISSION_HOSTS: HOST },
      ...{ ADMISSION_CERT_FILE: files.certificate, ADMISSION_KEY_FILE: files.key },
    }),
    startKubernetes(),
  ]);
  parts.defer(() => api.stop());
  parts.use(cluster);
  await api.store.folders.insertFolder({ name: 'prod' });
  webhook = admissionServer(api.admission ?? (() => {}), {
    ...{ port: 0, host: '127.0.0.1', files },
    log: { info() {}, error() {} },
  });
  await webhook.start?.();
  parts.defer(async () => webhook.stop?.());
  await configure(`https://127.0.0.1:${webhook.port()}`, certificate);
});

afterAll(() => parts.disposeAsync());

/** As `helm install` with the chart does. */
async function configure(clientUrl: string, caBundle: string): Promise<void> {
  await using helm = await openHelm();
  const webhooks = { clientUrl, caBundle, cluster: 'test', pin: true };
  const values = { admission: { enabled: true, existingSecret: 'tls', hosts: [HOST], webhooks } };
  const objects = objectsOf(await helm.call(['template'], values));
  const labels = { enforce: 'enforce', warned: 'warn', free: '' };
  for (const [name, label] of Object.entries(labels)) {
    const metadata = { name, labels: label === '' ? {} : { 'portcullis/admission': label } };
    await made(
      cluster.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata }),
    );
  }
  const plurals = {
    MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
    ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
  };
  for (const [kind, plural] of Object.entries(plurals))
    for (const object of objects.filter((each) => each.kind === kind))
      await made(cluster.call('POST', `/apis/admissionregistration.k8s.io/v1/${plural}`, object));
  // An API server follows its configurations a moment later.
  const [clean, blocked] = [await imageOf(cleanReport()), await imageOf(blockedReport())];
  const ask = (namespace: string, image: string) =>
    create('Pod', namespace, specOf(image), { isDryRun: true });
  await eventually(async () => (await ask('enforce', blocked)).status === 403);
  await eventually(async () => (await ask('warned', blocked)).warnings.length > 0);
  await eventually(async () =>
    JSON.stringify((await ask('enforce', clean)).body.spec).includes('@'),
  );
}

async function made(reply: Promise<KubernetesReply>): Promise<KubernetesReply> {
  const { status, body } = await reply;
  expect(status, body.message).toBeLessThan(300);
  return reply;
}

function create(
  kind: KubeKind,
  namespace: string,
  spec: Record<string, unknown>,
  { name = `web-${++count}`, isDryRun = false } = {},
): Promise<KubernetesReply> {
  const { path, body } = objectOf(kind, namespace, spec, name);
  return cluster.call('POST', `${path}${isDryRun ? '?dryRun=All' : ''}`, body);
}

async function record({ digest }: { digest: string }, report: ScanReport): Promise<void> {
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
  await publishReports(api.redis, [digest]);
}

async function pushed(report: ScanReport | null): Promise<{ image: TestImage; name: string }> {
  const image = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
  if (report) await record(image, report);
  const repository = `prod/app${++count}`;
  await pushImage(api.registry.url, repository, '1', image);
  return { image, name: `${HOST}/${repository}:1` };
}

const imageOf = async (report: ScanReport | null) => (await pushed(report)).name;

describe.each(KUBE_KINDS)('%s', (kind) => {
  it('with an image that passes is stored', async () => {
    const { status, body, warnings } = await create(
      kind,
      'enforce',
      specOf(await imageOf(cleanReport())),
    );
    expect([status, body.message, warnings]).toEqual([201, undefined, []]);
  });

  it('with an image that is blocked is refused with our sentence', async () => {
    const image = await imageOf(blockedReport());
    const { status, body } = await create(kind, 'enforce', specOf(image));
    expect(status).toBe(403);
    expect(body.message).toContain('denied the request: container c0: ');
    expect(body.message).toContain(`${REFUSED}`);
  });

  it('is stored with a warning in a namespace that only warns', async () => {
    const { status, warnings } = await create(
      kind,
      'warned',
      specOf(await imageOf(blockedReport())),
    );
    expect(status).toBe(201);
    expect(warnings.join()).toContain('would be refused: container c0: ');
  });
});

describe('a pod', () => {
  it.each<[string, (blocked: string) => Record<string, unknown>, string]>([
    [
      'in an init container',
      (image) => ({ initContainers: [{ name: 'init', image }] }),
      'init container init',
    ],
    [
      'in an image volume',
      (image) => ({ volumes: [{ name: 'models', image: { reference: image } }] }),
      'volume models',
    ],
  ])('with a blocked image %s is refused', async (_, more, by) => {
    const [clean, blocked] = [await imageOf(cleanReport()), await imageOf(blockedReport())];
    const { status, body } = await create('Pod', 'enforce', { ...specOf(clean), ...more(blocked) });
    expect([status, body.message]).toEqual([403, expect.stringContaining(`${by}: `)]);
  });

  it('with a container for debugging whose image is blocked is not changed', async () => {
    const name = `debugged-${++count}`;
    await made(create('Pod', 'enforce', specOf(await imageOf(cleanReport())), { name }));
    const path = `/api/v1/namespaces/enforce/pods/${name}/ephemeralcontainers`;
    const { body } = await made(cluster.call('GET', path.replace('/ephemeralcontainers', '')));
    const add = async (image: string) => {
      const ephemeralContainers = [{ name: 'debugger', image }];
      return cluster.call('PUT', path, {
        ...body,
        spec: { ...(body.spec as object), ephemeralContainers },
      });
    };
    const refused = await add(await imageOf(blockedReport()));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('ephemeral container debugger'),
    ]);
    expect((await add(await imageOf(cleanReport()))).status).toBe(200);
  });

  it.each<[string, () => Promise<string>, number, string]>([
    ['that was not judged', () => imageOf(null), 503, 'the image is being scanned'],
    ['that is not here', async () => `${HOST}/prod/none:1`, 403, 'there is no 1 in prod/none'],
    ['of another registry', async () => 'nginx:1', 403, 'images of docker.io are not admitted'],
    ['without the form of one', async () => `${HOST}/prod/App`, 403, 'a repository is lower-case'],
  ])('with an image %s is not admitted', async (_, image, status, message) => {
    const reply = await create('Pod', 'enforce', specOf(await image()));
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it('with a control character in the name of an image is warned of (knative/pkg #2581)', async () => {
    const { status, warnings } = await create('Pod', 'warned', specOf('nginx\u0007:1'));
    expect([status, warnings.join()]).toEqual([201, expect.stringContaining('would be refused')]);
  });

  it('in a namespace without the label is not asked about', async () => {
    const reply = await create('Pod', 'free', specOf(await imageOf(blockedReport())));
    expect([reply.status, reply.warnings]).toEqual([201, []]);
  });

  it('gets the digest that was decided', async () => {
    const { image, name } = await pushed(cleanReport());
    const { body } = await made(create('Pod', 'enforce', specOf(name)));
    expect(body).toMatchObject({ spec: { containers: [{ image: `${name}@${image.digest}` }] } });
  });

  it('whose image is blocked meanwhile can be labelled, loses its finalizers, and is deleted', async () => {
    const { image, name: blocked } = await pushed(cleanReport());
    const name = `held-${++count}`;
    const { path, body } = objectOf('Pod', 'enforce', specOf(blocked), name);
    const metadata = { name, finalizers: ['example.com/hold'] };
    await made(cluster.call('POST', path, { ...body, metadata }));
    await record(image, blockedReport());
    const patch = (change: object) =>
      cluster.call('PATCH', `${path}/${name}`, { metadata: change }, MERGE);
    await made(patch({ labels: { team: 'shop' } }));
    await made(cluster.call('DELETE', `${path}/${name}`));
    const other = [{ name: 'c0', image: await imageOf(blockedReport()) }];
    const spec = { containers: other };
    const changed = await cluster.call('PATCH', `${path}/${name}`, { spec }, STRATEGIC);
    expect([changed.status, changed.body.message]).toEqual([403, expect.stringContaining(REFUSED)]);
    await made(patch({ finalizers: null }));
    await expect.poll(async () => (await cluster.call('GET', `${path}/${name}`)).status).toBe(404);
  });

  it('is decided by the standing that the image has now', async () => {
    const { image, name } = await pushed(cleanReport());
    const status = async () =>
      (await create('Pod', 'enforce', specOf(name), { isDryRun: true })).status;
    expect(await status()).toBe(201);
    await record(image, blockedReport());
    await expect.poll(status).toBe(403);
    await record(image, cleanReport());
    await expect.poll(status).toBe(201);
  });
});

it('200 pods at once are each decided', async () => {
  const images = await Promise.all(Array.from({ length: 10 }, () => imageOf(cleanReport())));
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, at) => create('Pod', 'enforce', specOf(images[at % 10] ?? ''))),
  );
  expect(Map.groupBy(replies, ({ status }) => status).get(201)).toHaveLength(200);
});

it('an API server takes the configurations of the guide, with the certificate of the guide', async () => {
  const guide = new URL('../../docs/guide/kubernetes.md', import.meta.url);
  const page = await readFile(guide, 'utf8');
  await using dir = await temporaryDir();
  const [, commands = ''] = /```sh\n(openssl req .*?)```/s.exec(page) ?? [];
  const bundle = await run('sh', ['-ec', commands], { cwd: dir.path });
  const objects = [...page.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, text = '']) =>
    objectsOf(text.replaceAll('BASE64_OF_THE_CA', bundle)),
  );
  const configurations = objects.filter(({ kind }) => kind.endsWith('WebhookConfiguration'));
  expect(configurations).toHaveLength(2);
  for (const object of configurations) {
    const plural = `${object.kind.toLowerCase()}s`;
    const path = `/apis/admissionregistration.k8s.io/v1/${plural}?dryRun=All&fieldValidation=Strict`;
    const metadata = { name: 'of-the-guide' };
    await made(cluster.call('POST', path, { ...object, metadata }));
  }
});

it('nodes may request tokens for the audience of the ready role, and for no other one', async () => {
  const file = new URL('../../deploy/credential-provider/nodes.yaml', import.meta.url);
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  for (const object of objectsOf(await readFile(file, 'utf8')))
    await made(cluster.call('POST', `${rbac}/${object.kind.toLowerCase()}s`, object));
  const isAllowed = async (resource: string, user = 'system:node:one') => {
    const groups = user.startsWith('system:node:') ? ['system:nodes'] : [];
    const verb = 'request-serviceaccounts-token-audience';
    const resourceAttributes = { verb, resource, namespace: 'shop', name: 'default' };
    const { body } = await made(
      cluster.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' },
        spec: { user, groups, resourceAttributes },
      }),
    );
    return (body.status as { allowed: boolean }).allowed;
  };
  await eventually(() => isAllowed('https://registry.example.com'));
  expect(await isAllowed('https://other.example.com')).toBe(false);
  expect(await isAllowed('https://registry.example.com', 'ann')).toBe(false);
});

describe('while the webhook is down', () => {
  beforeAll(async () => webhook.stop?.());

  it.each([
    ['enforce', 500],
    ['warned', 201],
    ['free', 201],
  ])('the cluster decides by its failurePolicy in the namespace %s', async (namespace, status) => {
    const reply = await create('Pod', namespace, specOf('nginx:1'));
    expect([reply.status, reply.body.message ?? 'failed calling webhook']).toEqual([
      status,
      expect.stringContaining('failed calling webhook'),
    ]);
  });
});
