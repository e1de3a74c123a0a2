/** The chart, by the tools that its users have: helm, kubeconform, and the rules it promises to keep. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { run } from '@portcullis/embedded';
import { registryConfig } from '@portcullis/local-registry';
import {
  KUBERNETES_TOOLS_BUILD_MS,
  type KubernetesTools,
  kubernetesTools,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig as readApi } from '../apps/api/src/config.ts';
import { readConfig as readNotifier } from '../apps/notifier/src/config.ts';
import { readConfig as readWorker } from '../apps/worker/src/config.ts';
import { variables } from '../scripts/configuration-reference.ts';
import {
  CHART,
  containersOf,
  matches,
  mayConnect,
  objectsOf,
  podsOf,
  type Rendered,
  render,
} from './helm-chart.ts';
import { startHelmCluster } from './helm-cluster.ts';
import { writeSchemas } from './kubernetes-schemas.ts';

const VALUES = ['minimal', 'everything', 'keda', 'hpa', 'external-registry', 'bucket'] as const;
type Values = (typeof VALUES)[number];

/** What an object must have, which the client's types don't tell. */
const WHOLE: Record<string, (json: string) => { validate(): void }> = {
  ConfigMap: (json) => new ConfigMap(JSON.parse(json)),
  CronJob: (json) => new CronJob(JSON.parse(json)),
  Deployment: (json) => new Deployment(JSON.parse(json)),
  HorizontalPodAutoscaler: (json) => new HorizontalPodAutoscaler(JSON.parse(json)),
  Ingress: (json) => new Ingress(JSON.parse(json)),
  Job: (json) => new Job(JSON.parse(json)),
  NetworkPolicy: (json) => new NetworkPolicy(JSON.parse(json)),
  PersistentVolumeClaim: (json) => new PersistentVolumeClaim(JSON.parse(json)),
  Pod: (json) => new Pod(JSON.parse(json)),
  PodDisruptionBudget: (json) => new PodDisruptionBudget(JSON.parse(json)),
  PodMonitor: (json) => new PodMonitor(JSON.parse(json)),
  PrometheusRule: (json) => new PrometheusRule(JSON.parse(json)),
  ScaledObject: (json) => new ScaledObject(JSON.parse(json)),
  Secret: (json) => new Secret(JSON.parse(json)),
  Service: (json) => new Service(JSON.parse(json)),
  ServiceAccount: (json) => new ServiceAccount(JSON.parse(json)),
  ServiceMonitor: (json) => new ServiceMonitor(JSON.parse(json)),
};
/** Of operators, whose types the Go client of Kubernetes doesn't know. */
const FOREIGN = 'ScaledObject,ServiceMonitor,PodMonitor,PrometheusRule';

const STRANGER: { labels: Record<string, string> } = { labels: { app: 'stranger' } };

let tools: KubernetesTools;
let dir: TemporaryDir;
const texts = new Map<Values, string>();

function objects(values: Values): Rendered[] {
  return objectsOf(texts.get(values) ?? '');
}

function named(values: Values, kind: string, name: string): Rendered {
  const found = objects(values).find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

beforeAll(async () => {
  tools = await kubernetesTools();
  dir = await temporaryDir();
  for (const values of VALUES) texts.set(values, await render(tools.helm, values));
}, KUBERNETES_TOOLS_BUILD_MS);
afterAll(() => dir?.remove());

describe('helm and the schemas', () => {
  it.each(VALUES)(
    'helm finds nothing to warn of, or to recommend (O39), with the values %s',
    async (values) => {
      const said = await run(tools.helm, [
        'lint',
        '--strict',
        CHART,
        '-f',
        join(CHART, 'ci', `${values}.yaml`),
      ]);
      expect(said).toContain('0 chart(s) failed');
      expect(said).not.toMatch(/\[(?:INFO|WARNING|ERROR)\]/);
    },
  );

  it('kubeconform knows every field of every object, and would tell of one that Kubernetes does not know', async () => {
    const pattern = await writeSchemas(tools.types, dir.path);
    const check = (input: string) =>
      run(tools.kubeconform, ['-strict', '-summary', '-skip', FOREIGN, '-schema-location', pattern, '-'], {
        input,
      });
    const all = [...texts.values()].join('\n---\n');
    expect(await check(all)).toMatch(/Invalid: 0, Errors: 0, Skipped: 6\n/);
    const misspelt = texts.get('minimal')?.replaceAll('readOnlyRootFilesystem', 'readonlyRootFilesystem');
    await expect(check(misspelt ?? '')).rejects.toThrow();
    const mistyped = texts.get('minimal')?.replace('backoffLimit: 3', 'backoffLimit: three');
    await expect(check(mistyped ?? '')).rejects.toThrow();
  });

  it.each(VALUES)('every object has what its kind must have: %s', (values) => {
    for (const object of objects(values)) {
      const whole = WHOLE[object.kind]?.(JSON.stringify(object));
      expect(whole, object.kind).toBeDefined();
      expect(() => whole?.validate(), `${object.kind} ${object.metadata.name}`).not.toThrow();
    }
  });

  it.each([
    ['no database', 'redis: { existingSecret: r }\n', 'existingSecret'],
    ['an unknown value', 'workers: 3\n', 'workers'],
    ['a stage that does not exist', 'worker: { groups: { scan: { stages: [wash] } } }\n', 'stages'],
    ['a stage that nobody serves', 'worker: { groups: { scan: null } }\n', 'serves the stage scan'],
    ['a secret among plain settings', 'config: { ADMIN_PASSWORD: hunter2 }\n', 'ADMIN_PASSWORD'],
    ['a secret in the environment', 'extraEnv: [{ name: SECRET_KEY, value: abc }]\n', 'valueFrom'],
    ['KEDA without a Prometheus', 'autoscaling: { mode: keda }\n', 'prometheusAddress'],
    ['an unknown way to scale', 'autoscaling: { mode: magic }\n', 'mode'],
    ['a volume of one node alone', 'data: { accessModes: [ReadWriteOnce] }\n', 'must be ReadWriteMany'],
    ['a bucket without a name', 'registry: { storage: { type: s3 } }\n', 'bucket'],
    ['no registry at all', 'registry: { enabled: false }\n', 'registry'],
    ['two registries', 'registry: { url: http://other:5000 }\n', 'disable the bundled one'],
    [
      'credentials in the address of a registry',
      'registry: { enabled: false, url: "http://u:p@r" }\n',
      'url',
    ],
    ['an ingress without a host', 'ingress: { enabled: true }\n', 'hosts'],
    ['a digest that is none', 'images: { api: { digest: latest } }\n', 'digest'],
  ])('%s is refused, and the reason named', async (_, text, reason) => {
    const file = join(dir.path, `${crypto.randomUUID()}.yaml`);
    const connected = 'database: { existingSecret: d }\nredis: { existingSecret: r }\n';
    await writeFile(file, text.includes('redis') ? text : connected + text);
    await expect(run(tools.helm, ['template', 'rel', CHART, '-f', file])).rejects.toThrow(reason);
    await rm(file);
  });
});

describe.each(VALUES)('what the chart promises, with the values %s', (values) => {
  it('no container runs as root, writes to its own file system, or keeps a capability', () => {
    const pods = podsOf(objects(values));
    expect(pods.length).toBeGreaterThan(5);
    for (const { name, spec } of pods) {
      expect(spec, name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      for (const container of containersOf(spec))
        expect(container, `${name}/${container.name}`).toMatchObject({
          securityContext: {
            runAsNonRoot: true,
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          resources: { limits: { memory: expect.any(String) } },
        });
    }
  });

  it('no secret stands anywhere but in a Secret, and the only ones there are made, not given', () => {
    const env = podsOf(objects(values)).flatMap(({ spec }) =>
      containersOf(spec).flatMap((each) => each.env ?? []),
    );
    const secret = env.filter(({ name }) => /PASSWORD|SECRET|TOKEN|DATABASE_URL|REDIS_URL/.test(name));
    expect(secret.length).toBeGreaterThan(10);
    for (const { name, value } of secret)
      expect(value ?? '', name).toMatch(/^$|^\/run\/secrets\/portcullis\/[A-Z_]+$/);
    const made = objects(values).filter(({ kind }) => kind === 'Secret');
    for (const value of made.flatMap(({ data }) => Object.values(data ?? {})))
      expect(Buffer.from(Buffer.from(value, 'base64').toString(), 'base64')).toHaveLength(32);
  });

  it('api and workers alone reach the registry, and whoever has no use for a service does not reach it', () => {
    const all = objects(values);
    const pods = podsOf(all);
    const reachers = (labels: Record<string, string>, port: number) =>
      new Set(
        [...pods, STRANGER]
          .filter((from) => mayConnect(all, from.labels, labels, port))
          .map(({ labels: of }) => of['app.kubernetes.io/component'] ?? of.app),
      );
    const registry = pods.find(({ labels }) => labels['app.kubernetes.io/component'] === 'registry');
    expect(registry === undefined).toBe(values === 'external-registry');
    if (registry) expect(reachers(registry.labels, 5000)).toEqual(new Set(['api', 'worker']));
    const database = { app: 'postgres' };
    const jobs = values === 'everything' ? ['backup', 'restore'] : ['stranger'];
    const users = ['api', 'migrate', 'notifier', 'worker', ...jobs];
    expect([...reachers(database, values === 'everything' ? 5433 : 5432)].sort()).toEqual(users.sort());
    const [api] = pods.filter(({ labels }) => labels['app.kubernetes.io/component'] === 'api');
    expect(mayConnect(all, registry?.labels ?? {}, api?.labels ?? {}, 9090)).toBe(false);
  });

  it('each deployment selects its own pods alone, has a budget, and time to end as its process does', () => {
    const all = objects(values);
    const deployments = all.filter(({ kind }) => kind === 'Deployment');
    const budgets = all.filter(({ kind }) => kind === 'PodDisruptionBudget');
    for (const { metadata, spec } of deployments) {
      const selected = podsOf(all).filter(({ labels }) => matches(spec.selector ?? {}, labels));
      expect(selected.map(({ name }) => name)).toEqual([metadata.name]);
      const labels = spec.template?.metadata.labels ?? {};
      const own = budgets.filter(({ spec: { selector } }) => matches(selector ?? {}, labels));
      expect(own, metadata.name).toHaveLength(1); // the registry's, too (O34)
      const [container] = spec.template?.spec.containers ?? [];
      expect(container, metadata.name).toMatchObject({
        startupProbe: expect.anything(),
        livenessProbe: expect.anything(),
        readinessProbe: expect.anything(), // the workers', too (O37)
      });
      const grace = container?.env?.find(({ name }) => name.endsWith('_GRACE_SECONDS'))?.value ?? '10';
      expect(spec.template?.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(grace) + 15);
    }
  });
});

it("helm's test reaches the api where only named clients may (O15)", () => {
  const all = objects('everything');
  const labelsOf = (component: string) =>
    podsOf(all).find(({ labels }) => labels['app.kubernetes.io/component'] === component)?.labels ?? {};
  expect(mayConnect(all, labelsOf('test'), labelsOf('api'), 8080)).toBe(true);
  expect(mayConnect(all, STRANGER.labels, labelsOf('api'), 8080)).toBe(false);
  expect(mayConnect(all, labelsOf('test'), labelsOf('registry'), 5000)).toBe(false);
});

it.each(VALUES)(
  'every pod has an account of the chart, hooks one that is there before them (O38): %s',
  (values) => {
    const all = objects(values);
    const accounts = all.filter(({ kind }) => kind === 'ServiceAccount');
    const early = accounts.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined);
    const named = (some: Rendered[]) => some.map(({ metadata }) => metadata.name);
    for (const { labels, name, spec } of podsOf(all)) {
      const isHook = labels['app.kubernetes.io/component'] === 'migrate';
      const there = values === 'everything' ? ['existing'] : named(isHook ? early : accounts);
      expect(there, name).toContain(spec.serviceAccountName);
    }
  },
);

it('a request has minutes to end when its pod is replaced (O35)', () => {
  const { spec } = named('minimal', 'Deployment', 'rel-portcullis-api');
  const [container] = spec.template?.spec.containers ?? [];
  const grace = container?.env?.find(({ name }) => name === 'API_GRACE_SECONDS')?.value;
  expect(Number(grace)).toBeGreaterThanOrEqual(300);
  expect(container?.lifecycle).toMatchObject({ preStop: expect.anything() });
});

it.each([
  ['api', 'rel-portcullis-api', readApi],
  ['worker', 'rel-portcullis-worker-scan', readWorker],
  ['notifier', 'rel-portcullis-notifier', readNotifier],
] as const)(
  'the %s understands the environment that it is given, and asks for all of it',
  async (app, name, read) => {
    const env = podsOf(objects('minimal'))
      .filter((pod) => pod.name === name)
      .flatMap(({ spec }) => spec.containers.flatMap((each) => each.env ?? []));
    const values = { DATABASE_URL: 'postgres://d/p', REDIS_URL: 'redis://r', SECRET_KEY: 'x'.repeat(32) };
    for (const [secret, value] of Object.entries(values)) await writeFile(join(dir.path, secret), value);
    const given = env.map(({ name: key, value }) => [
      key,
      value?.replace('/run/secrets/portcullis', dir.path),
    ]);
    expect(read(Object.fromEntries(given))).toMatchObject({
      ...values,
      DATA_DIR: '/data',
      METRICS_PORT: 9090,
    });
    const asked = [...variables()].filter(([, { readers }]) => readers.includes(app)).map(([each]) => each);
    expect(asked).toEqual(expect.arrayContaining(env.map(({ name: key }) => key.replace(/_FILE$/, ''))));
  },
);

it('a large number stays one', () => {
  const container = named('everything', 'Deployment', 'gate-notifier').spec.template?.spec.containers[0];
  expect(container?.env).toContainEqual({ name: 'RATE_LIMIT_PER_MINUTE', value: '5000000' });
});

it.each([
  ['minimal', []],
  [
    'hpa',
    [
      'HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler',
    ],
  ],
  ['keda', ['HorizontalPodAutoscaler', 'ScaledObject', 'ScaledObject', 'ScaledObject']],
] as const)(
  'who scales has one scaler for each deployment, which then names no replicas: %s',
  (values, kinds) => {
    const all = objects(values);
    const scalers = all.filter(({ spec }) => spec?.scaleTargetRef !== undefined);
    expect(scalers.map(({ kind }) => kind).sort()).toEqual(kinds);
    for (const { kind, spec } of scalers) {
      const target = named(values, 'Deployment', spec.scaleTargetRef?.name ?? '');
      expect(target.spec.replicas, kind).toBeUndefined();
    }
    const fixed = all.filter(({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined);
    expect(fixed).toHaveLength(kinds.length === 0 ? 6 : 2);
  },
);

it('the bundled registry is configured as the one that npm start runs', () => {
  const config = named('minimal', 'ConfigMap', 'rel-portcullis-registry').data?.['config.yml'] ?? '{}';
  const storage = { type: 'filesystem', dir: '/var/lib/registry' } as const;
  const options = { storage, listen: { host: '0.0.0.0', port: 5000 }, secret: '' };
  const expected = JSON.parse(registryConfig(options));
  delete expected.http.secret; // from the environment, out of a Secret
  expect(JSON.parse(config)).toEqual(expected);
});

describe("the registry's storage in a bucket (O16)", () => {
  const podOf = (name: string) =>
    podsOf(objects('bucket')).find((pod) => pod.name === `rel-portcullis-${name}`);
  const volumesOf = (name: string) => JSON.stringify(podOf(name)?.spec);
  const labelsOf = (component: string) => ({
    'app.kubernetes.io/name': 'portcullis',
    'app.kubernetes.io/instance': 'rel',
    'app.kubernetes.io/component': component,
  });

  it('is configured as the product does it, apart from what is in the environment', () => {
    const config = named('bucket', 'ConfigMap', 'rel-portcullis-registry').data?.['config.yml'] ?? '{}';
    const storage = { type: 's3', bucket: '', region: '' } as const;
    const listen = { host: '0.0.0.0', port: 5000 };
    const expected = JSON.parse(registryConfig({ storage, listen, secret: '' }));
    delete expected.http.secret;
    expected.storage.s3 = {};
    expect(JSON.parse(config)).toEqual(expected);
  });

  it('the registry has no volume, and the keys are a file of the registry and the workers alone', () => {
    expect(volumesOf('registry')).not.toContain('persistentVolumeClaim');
    for (const name of ['registry', 'worker-pull', 'worker-scan', 'worker-push'])
      expect(volumesOf(name), name).toContain('"secretName":"portcullis-bucket"');
    for (const name of ['api', 'notifier']) expect(volumesOf(name), name).not.toContain('portcullis-bucket');
  });

  it('a backup leaves the images to the bucket', async () => {
    const text = await render(tools.helm, 'bucket', '--set', 'backup.enabled=true');
    expect(text).toMatch(/portcullis backup "[^"]+" --without-images/);
    expect(text).not.toContain('REGISTRY_STORAGE, value');
    expect(text).not.toContain('/data/registry');
  });

  it('registry and workers reach the store, and a registry over a volume reaches nothing', () => {
    for (const component of ['registry', 'worker'])
      expect(mayConnect(objects('bucket'), labelsOf(component), { app: 'store' }, 9000), component).toBe(
        true,
      );
    expect(mayConnect(objects('minimal'), labelsOf('registry'), { app: 'store' }, 9000)).toBe(false);
  });
});

it('images of any size stream through the ingress', () => {
  expect(named('everything', 'Ingress', 'gate').metadata.annotations).toMatchObject({
    'nginx.ingress.kubernetes.io/proxy-body-size': '0',
    'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
    'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
    'nginx.ingress.kubernetes.io/proxy-read-timeout': '900',
  });
});

it('the key made at the first install outlives every upgrade', async () => {
  const kept = { 'secret-key': 'b25jZQ==', 'registry-http-secret': 'b25jZQ==' };
  const there = new Map([['rel-portcullis-secrets', kept]]);
  const all = await upgraded(there);
  expect(all.find(({ kind }) => kind === 'Secret')).toMatchObject({
    data: kept,
    metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } },
  });
});

it.each([
  ['portcullis-database', 'url', ['api', 'notifier', 'worker-pull', 'worker-push', 'worker-scan']],
  [
    'rel-portcullis-secrets',
    'registry-http-secret',
    ['api', 'notifier', 'registry', 'worker-pull', 'worker-push', 'worker-scan'],
  ],
] as const)(
  'an upgrade restarts the pods that use a Secret which was changed (O36): %s',
  async (name, key, changed) => {
    const there = new Map<string, Record<string, string>>([
      ['portcullis-database', { url: 'b25l' }],
      ['portcullis-redis', { url: 'b25l' }],
      ['rel-portcullis-secrets', { 'secret-key': 'b25l', 'registry-http-secret': 'b25l' }],
    ]);
    const before = templatesOf(await upgraded(there));
    expect(templatesOf(await upgraded(there))).toEqual(before);
    there.set(name, { ...there.get(name), [key]: 'dHdv' });
    const after = templatesOf(await upgraded(there));
    const others = [...before.keys()].filter((each) => after.get(each) !== before.get(each));
    expect(others.sort()).toEqual(changed.map((each) => `rel-portcullis-${each}`));
  },
);

/** What helm renders in a cluster that has these Secrets. */
async function upgraded(secrets: ReadonlyMap<string, Record<string, string>>): Promise<Rendered[]> {
  await using cluster = await startHelmCluster(objects('minimal'), (name) => secrets.get(name));
  const server = ['--dry-run=server', '--disable-openapi-validation', '--kube-apiserver', cluster.url];
  return objectsOf(await render(tools.helm, 'minimal', ...server));
}

function templatesOf(all: Rendered[]): Map<string, string> {
  const deployments = all.filter(({ kind }) => kind === 'Deployment');
  return new Map(deployments.map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec.template)]));
}
