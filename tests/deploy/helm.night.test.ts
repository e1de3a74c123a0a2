/** The chart, checked with the tools of its users: helm, kubeconform, and the rules in docs. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { run } from '@portcullis/embedded';
import { registryConfig } from '@portcullis/local-registry';
import {
  type KubernetesTools,
  kubernetesTools,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { MutatingWebhookConfiguration } from 'kubernetes-models/admissionregistration.k8s.io/v1/MutatingWebhookConfiguration';
import { ValidatingWebhookConfiguration } from 'kubernetes-models/admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ClusterRole } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRole';
import { ClusterRoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRoleBinding';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig as readApi } from '../../apps/api/src/config.ts';
import { readConfig as readNotifier } from '../../apps/notifier/src/config.ts';
import { readConfig as readWorker } from '../../apps/worker/src/config.ts';
import { variables } from '../../tools/config-reference/configuration-reference.ts';
import {
  CHART,
  type Container,
  containersOf,
  matches,
  mayConnect,
  objectsOf,
  type PodSpec,
  podsOf,
  type Rendered,
  render,
} from '../support/helm-chart.ts';
import { startHelmCluster } from '../support/helm-cluster.ts';
import { writeSchemas } from '../support/kubernetes-schemas.ts';

const VALUES = [
  ...(['minimal', 'shared', 'everything', 'keda', 'hpa', 'external-registry', 'bucket'] as const),
  ...(['per-worker', 'ephemeral', 'k3s', 'eks', 'air-gap', 'openshift'] as const),
  ...(['high-availability', 'load-balancer', 'gateway', 'ingress-nginx', 'extras'] as const),
  ...(['admission'] as const),
] as const;
type Values = (typeof VALUES)[number];

/** Required fields of each kind, which the client's types don't state. */
const WHOLE: Record<string, (json: string) => { validate(): void }> = {
  ClusterRole: (json) => new ClusterRole(JSON.parse(json)),
  ClusterRoleBinding: (json) => new ClusterRoleBinding(JSON.parse(json)),
  ConfigMap: (json) => new ConfigMap(JSON.parse(json)),
  CronJob: (json) => new CronJob(JSON.parse(json)),
  Deployment: (json) => new Deployment(JSON.parse(json)),
  HTTPRoute: (json) => new HTTPRoute(JSON.parse(json)),
  HorizontalPodAutoscaler: (json) => new HorizontalPodAutoscaler(JSON.parse(json)),
  Ingress: (json) => new Ingress(JSON.parse(json)),
  Job: (json) => new Job(JSON.parse(json)),
  MutatingWebhookConfiguration: (json) => new MutatingWebhookConfiguration(JSON.parse(json)),
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
  StatefulSet: (json) => new StatefulSet(JSON.parse(json)),
  ValidatingWebhookConfiguration: (json) => new ValidatingWebhookConfiguration(JSON.parse(json)),
};
/** Kinds of operators, which the Go client of Kubernetes doesn't have. */
const FOREIGN = ['HTTPRoute', 'ScaledObject', 'ServiceMonitor', 'PodMonitor', 'PrometheusRule'];

const SPLIT_GROUPS =
  'worker: { groups: { all: null, pull: { stages: [pull] }, rest: { stages: [scan, push] } } }\n';
const STRANGER: { labels: Record<string, string> } = { labels: { app: 'stranger' } };

let tools: KubernetesTools;
let dir: TemporaryDir;
const texts = new Map<Values, string>();

function objects(values: Values): Rendered[] {
  return objectsOf(texts.get(values) ?? '');
}

/** The components of pods that have a container of this name. */
function withContainer(values: Values, name: string): string[] {
  return podsOf(objects(values))
    .filter(({ spec }) => spec.containers.some((each) => each.name === name))
    .map(({ labels }) => labels['app.kubernetes.io/component'] ?? '');
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
});
afterAll(() => dir?.remove());

describe('helm and the schemas', () => {
  it.each(VALUES)(
    'helm has no warnings or recommendations (O39), with the values %s',
    async (values) => {
      const said = await run(tools.helm, [
        'lint',
        '--strict',
        CHART,
        '-f',
        join(CHART, 'ci', `${values}-values.yaml`),
      ]);
      expect(said).toContain('0 chart(s) failed');
      expect(said).not.toMatch(/\[(?:INFO|WARNING|ERROR)\]/);
    },
  );

  it('kubeconform knows every field of every object, and reports one that Kubernetes does not know', async () => {
    const pattern = await writeSchemas(tools.types, dir.path);
    const check = (input: string) =>
      run(
        tools.kubeconform,
        ['-strict', '-summary', '-skip', FOREIGN.join(), '-schema-location', pattern, '-'],
        {
          input,
        },
      );
    const all = [...texts.values()].join('\n---\n');
    const skipped = objectsOf(all).filter(({ kind }) => FOREIGN.includes(kind)).length;
    expect(skipped).toBeGreaterThan(7);
    expect(await check(all)).toContain(`Invalid: 0, Errors: 0, Skipped: ${skipped}\n`);
    const misspelt = texts
      .get('minimal')
      ?.replaceAll('readOnlyRootFilesystem', 'readonlyRootFilesystem');
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
    [
      'a stage without a group',
      'worker: { groups: { all: { stages: [pull, push] } } }\n',
      'serves the stage scan',
    ],
    ['a secret among plain settings', 'config: { ADMIN_PASSWORD: hunter2 }\n', 'ADMIN_PASSWORD'],
    ['a secret in the environment', 'extraEnv: [{ name: SECRET_KEY, value: abc }]\n', 'valueFrom'],
    ['KEDA without a Prometheus', 'autoscaling: { mode: keda }\n', 'prometheusAddress'],
    ['an unknown way to scale', 'autoscaling: { mode: magic }\n', 'mode'],
    [
      'a shared volume of one node',
      'data: { mode: shared, accessModes: [ReadWriteOnce] }\n',
      'must be ReadWriteMany',
    ],
    [
      'a volume for each worker of which some only scan',
      SPLIT_GROUPS,
      'worker.groups.pull.stages: with data.mode perWorker each group must have the stages pull, scan and push',
    ],
    [
      'no lasting volume for workers of which some only scan',
      `data: { mode: ephemeral }\n${SPLIT_GROUPS}`,
      'with data.mode ephemeral each group must have',
    ],
    [
      'one claim for workers that have one each',
      'data: { mode: perWorker, existingClaim: shared }\n',
      'registry.storage.filesystem.existingClaim',
    ],
    [
      'two registries over the volume of one',
      'registry: { replicas: 2, storage: { filesystem: { accessModes: [ReadWriteOnce] } } }\n',
      'more need a bucket',
    ],
    [
      'a backup with the staged images of workers that have them apart',
      'data: { mode: ephemeral }\nbackup: { enabled: true, withStaging: true }\n',
      'backup.withStaging',
    ],
    [
      'a backup of a volume that no second pod may mount',
      'backup: { enabled: true }\nregistry: { storage: { filesystem: { accessModes: [ReadWriteOncePod] } } }\n',
      'ReadWriteOncePod',
    ],
    ['an unknown mode of the data', 'data: { mode: local }\n', 'mode'],
    ['a bucket without a name', 'registry: { storage: { type: s3 } }\n', 'bucket'],
    ['no registry at all', 'registry: { enabled: false }\n', 'registry'],
    ['two registries', 'registry: { url: http://other:5000 }\n', 'disable the bundled one'],
    [
      'credentials in the address of a registry',
      'registry: { enabled: false, url: "http://u:p@r" }\n',
      'url',
    ],
    ['an ingress without a host', 'ingress: { enabled: true }\n', 'hosts'],
    ['an HTTPRoute without a gateway', 'httpRoute: { enabled: true }\n', 'parentRefs'],
    ['a port of the nodes inside', 'api: { service: { nodePort: 30000 } }\n', 'nodePort'],
    [
      'a class of load balancers without one',
      'api: { service: { type: NodePort, loadBalancerClass: a/b } }\n',
      'need the type LoadBalancer, not NodePort',
    ],
    [
      'two registries that would sign with different secrets',
      'secretKey: { existingSecret: k }\nregistry: { replicas: 2 }\n',
      'registry.httpSecret.existingSecret',
    ],
    ['a mirror with a scheme', 'global: { imageRegistry: https://m }\n', 'imageRegistry'],
    ['an unknown field of a context', 'podSecurityContext: { runAsuser: 1 }\n', 'runAsuser'],
    ['an unknown value of the bundle', 'caBundle: { configMap: c }\n', 'configMap'],
    ['an unknown value of the route', 'httpRoute: { hosts: [a] }\n', 'hosts'],
    ['an unknown value of the Service', 'api: { service: { ip: a } }\n', 'ip'],
    ['a label that is none', 'commonLabels: { team: "a b" }\n', 'team'],
    [
      'a webhook without a certificate',
      'admission: { enabled: true, hosts: [a], webhooks: { caBundle: "-----BEGIN CERTIFICATE-----" } }\n',
      'admission.existingSecret',
    ],
    [
      'a webhook that no API server can trust',
      'admission: { enabled: true, hosts: [a], existingSecret: tls }\n',
      'admission.webhooks.caBundle',
    ],
    [
      'a webhook that knows no name of the registry',
      'admission: { enabled: true, existingSecret: tls, webhooks: { annotations: { a: b } } }\n',
      'admission.hosts',
    ],
    [
      'a webhook by plain HTTP',
      'admission: { webhooks: { clientUrl: "http://a.example" } }\n',
      'clientUrl',
    ],
    ['another answer for foreign images', 'admission: { foreign: maybe }\n', 'foreign'],
    ['an agent that knows no host', 'agent: { enabled: true }\n', 'agent.hosts'],
    [
      'an agent without a way to sign in',
      'agent: { enabled: true, hosts: [a] }\n',
      'agent.audience',
    ],
    ['an agent of a cluster without a name', 'agent: { cluster: "" }\n', 'cluster'],
    ['a digest that is none', 'images: { api: { digest: latest } }\n', 'digest'],
  ])('%s is refused with the reason', async (_, text, reason) => {
    const file = join(dir.path, `${crypto.randomUUID()}.yaml`);
    const connected = 'database: { existingSecret: d }\nredis: { existingSecret: r }\n';
    await writeFile(file, text.includes('redis') ? text : connected + text);
    await expect(run(tools.helm, ['template', 'rel', CHART, '-f', file])).rejects.toThrow(reason);
    await rm(file);
  });
});

describe.each(VALUES)('what the chart promises, with the values %s', (values) => {
  it('no container runs as root, writes to its root file system, or has a capability', () => {
    const pods = podsOf(objects(values));
    expect(pods.length).toBeGreaterThanOrEqual(5);
    for (const { name, spec } of pods) {
      expect(spec, name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          ...(values === 'openshift' ? {} : { runAsUser: 10001 }),
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

  it('secrets are only in Secrets, and the chart creates only those that it generates', () => {
    const env = podsOf(objects(values)).flatMap(({ spec }) =>
      containersOf(spec).flatMap((each) => each.env ?? []),
    );
    const secret = env.filter(({ name }) =>
      /PASSWORD|SECRET|TOKEN|DATABASE_URL|REDIS_URL/.test(name),
    );
    expect(secret.length).toBeGreaterThanOrEqual(10);
    for (const { name, value } of secret)
      expect(value ?? '', name).toMatch(/^$|^\/run\/secrets\/portcullis\/[A-Z_]+$/);
    const made = objects(values).filter(({ kind }) => kind === 'Secret');
    for (const value of made.flatMap(({ data }) => Object.values(data ?? {})))
      expect(Buffer.from(Buffer.from(value, 'base64').toString(), 'base64')).toHaveLength(32);
  });

  it('only api and workers reach the registry, and pods reach only the services they use', () => {
    const all = objects(values);
    const pods = podsOf(all);
    const reachers = (labels: Record<string, string>, port: number) =>
      new Set(
        [...pods, STRANGER]
          .filter((from) => mayConnect(all, from.labels, labels, port))
          .map(({ labels: of }) => of['app.kubernetes.io/component'] ?? of.app),
      );
    const registry = pods.find(
      ({ labels }) => labels['app.kubernetes.io/component'] === 'registry',
    );
    expect(registry === undefined).toBe(values === 'external-registry');
    if (registry) expect(reachers(registry.labels, 5000)).toEqual(new Set(['api', 'worker']));
    const database = { app: 'postgres' };
    const jobs = ['backup', 'restore'].flatMap((each) => withContainer(values, each));
    const others = values === 'everything' ? [] : ['stranger'];
    const collector = withContainer(values, 'collector');
    const users = ['api', 'migrate', 'notifier', 'worker', ...jobs, ...others, ...collector];
    expect([...reachers(database, values === 'everything' ? 5433 : 5432)].sort()).toEqual(
      users.sort(),
    );
    const [api] = pods.filter(({ labels }) => labels['app.kubernetes.io/component'] === 'api');
    expect(mayConnect(all, registry?.labels ?? {}, api?.labels ?? {}, 9090)).toBe(false);
  });

  it('each Deployment or StatefulSet selects only its own pods, has a disruption budget, and a grace period for its process', () => {
    const all = objects(values);
    const deployments = all.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
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
      const grace =
        container?.env?.find(({ name }) => name.endsWith('_GRACE_SECONDS'))?.value ?? '10';
      expect(spec.template?.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        Number(grace) + 15,
      );
    }
  });
});

it("helm's test reaches the api where only named clients may (O15)", () => {
  const all = objects('everything');
  const labelsOf = (component: string) =>
    podsOf(all).find(({ labels }) => labels['app.kubernetes.io/component'] === component)?.labels ??
    {};
  expect(mayConnect(all, labelsOf('test'), labelsOf('api'), 8080)).toBe(true);
  expect(mayConnect(all, STRANGER.labels, labelsOf('api'), 8080)).toBe(false);
  expect(mayConnect(all, labelsOf('test'), labelsOf('registry'), 5000)).toBe(false);
});

it.each(VALUES)(
  'every pod has a service account of the chart, hooks one that exists before them (O38): %s',
  (values) => {
    const all = objects(values);
    const accounts = all.filter(({ kind }) => kind === 'ServiceAccount');
    const early = accounts.filter(
      ({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined,
    );
    const named = (some: Rendered[]) => some.map(({ metadata }) => metadata.name);
    for (const { labels, name, spec } of podsOf(all)) {
      const isHook = labels['app.kubernetes.io/component'] === 'migrate';
      const there = values === 'everything' ? ['existing'] : named(isHook ? early : accounts);
      expect(there, name).toContain(spec.serviceAccountName);
    }
  },
);

describe('the agent', () => {
  const roles = (values: Values) => objects(values).filter(({ kind }) => kind === 'ClusterRole');
  const agentOf = (all: Rendered[]) => podsOf(all).find(({ name }) => name.endsWith('-agent'));
  const argsOf = (all: Rendered[]) =>
    agentOf(all)?.spec.containers.flatMap(({ args = [] }) => args);

  it('is not there by default, and reads pods alone', () => {
    expect(agentOf(objects('everything'))).toBeUndefined();
    expect(roles('everything')).toEqual([]);
    expect(roles('admission')).toMatchObject([
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }] },
    ]);
  });

  it('signs in by a trust rule, or with the token of a Secret', async () => {
    expect(argsOf(objects('admission'))).toEqual([
      '--host=images.example.com,registry.internal:5000',
      '--service-account=/run/secrets/account',
      '--identity-file=/run/secrets/account/identity',
    ]);
    const token = ['--set', 'agent.token.existingSecret=robot'];
    const all = objectsOf(await render(tools.helm, 'admission', ...token));
    expect(argsOf(all)).toContain('--token-file=/run/secrets/robot/token');
    expect(JSON.stringify(agentOf(all)?.spec.volumes)).not.toContain('audience');
  });

  it('reaches the api and API servers, and nothing else', () => {
    const all = objects('admission');
    const labels = agentOf(all)?.labels ?? {};
    const labelsOf = (component: string) =>
      podsOf(all).find((pod) => pod.labels['app.kubernetes.io/component'] === component)?.labels ??
      {};
    expect(mayConnect(all, labels, labelsOf('api'), 8080)).toBe(true);
    for (const [component, port] of [
      ['api', 9090],
      ['registry', 5000],
      ['worker', 9090],
    ] as const)
      expect(mayConnect(all, labels, labelsOf(component), port), component).toBe(false);
    expect(mayConnect(all, labels, STRANGER.labels, 5432)).toBe(false);
  });
});

it('requests have minutes to end when their pod is replaced (O35)', () => {
  const { spec } = named('minimal', 'Deployment', 'rel-portcullis-api');
  const [container] = spec.template?.spec.containers ?? [];
  const grace = container?.env?.find(({ name }) => name === 'API_GRACE_SECONDS')?.value;
  expect(Number(grace)).toBeGreaterThanOrEqual(300);
  expect(container?.lifecycle).toMatchObject({ preStop: expect.anything() });
});

const SECRETS = {
  DATABASE_URL: 'postgres://d/p',
  REDIS_URL: 'redis://r',
  SECRET_KEY: 'x'.repeat(32),
};

/** The environment that a container's process reads, with secrets from files. */
async function environmentOf(
  container: Container | undefined,
): Promise<Record<string, string | undefined>> {
  for (const [secret, value] of Object.entries(SECRETS))
    await writeFile(join(dir.path, secret), value);
  const env = container?.env ?? [];
  return Object.fromEntries(
    env.map(({ name, value }) => [name, value?.replace('/run/secrets/portcullis', dir.path)]),
  );
}

it.each([
  ['api', 'rel-portcullis-api', readApi],
  ['worker', 'rel-portcullis-worker-all', readWorker],
  ['notifier', 'rel-portcullis-notifier', readNotifier],
] as const)('the %s accepts its environment, and reads all of it', async (app, name, read) => {
  const [container] =
    podsOf(objects('minimal')).find((pod) => pod.name === name)?.spec.containers ?? [];
  const env = container?.env ?? [];
  expect(read(await environmentOf(container))).toMatchObject({
    ...SECRETS,
    DATA_DIR: '/data',
    METRICS_PORT: 9090,
  });
  const readable = [...variables()]
    .filter(([, { readers }]) => readers.includes(app))
    .map(([each]) => each);
  expect(readable).toEqual(
    expect.arrayContaining(env.map(({ name: key }) => key.replace(/_FILE$/, ''))),
  );
});

it('a large number is not rendered in scientific notation', () => {
  const container = named('everything', 'Deployment', 'gate-notifier').spec.template?.spec
    .containers[0];
  expect(container?.env).toContainEqual({ name: 'RATE_LIMIT_PER_MINUTE', value: '5000000' });
});

it.each([
  ['shared', []],
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
  'autoscaling has one scaler per Deployment, which then has no replicas field: %s',
  (values, kinds) => {
    const all = objects(values);
    const scalers = all.filter(({ spec }) => spec?.scaleTargetRef !== undefined);
    expect(scalers.map(({ kind }) => kind).sort()).toEqual(kinds);
    for (const { kind, spec } of scalers) {
      const target = named(values, 'Deployment', spec.scaleTargetRef?.name ?? '');
      expect(target.spec.replicas, kind).toBeUndefined();
    }
    const fixed = all.filter(
      ({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined,
    );
    expect(fixed).toHaveLength(kinds.length === 0 ? 6 : 2);
  },
);

describe('the data volumes', () => {
  const podOf = (values: Values, name: string) => {
    const found = podsOf(objects(values)).find((pod) => pod.name === `rel-portcullis-${name}`);
    if (found === undefined) throw new Error(`no pod of ${name}`);
    return found.spec;
  };
  const volume = (spec: PodSpec, name: string) => spec.volumes?.find((each) => each.name === name);
  const claims = (all: Rendered[]) =>
    all.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);

  const apiOf = (all: Rendered[]) => podsOf(all).find(({ name }) => name.endsWith('-api'))?.spec;
  const volumesOf = (pod: PodSpec | undefined) => pod?.volumes?.map(({ name }) => name).sort();

  it.each(VALUES)(
    "the api has volumes for secrets, temporary files and a shared registry's blobs, with the values %s",
    (values) => {
      const reads = ['shared', 'everything', 'keda', 'hpa', 'high-availability'].includes(values);
      const webhook = values === 'admission' ? ['admission', 'admission-clients'] : [];
      const wanted = [...webhook, ...(reads ? ['registry'] : []), 'secrets', 'tmp'];
      const given = volumesOf(apiOf(objects(values)))?.filter(
        (name) => name !== 'ca-bundle' && name !== 'company',
      );
      expect(given).toEqual(wanted);
    },
  );

  it.each([
    ['shared', [], 'rel-portcullis-data'],
    ['shared', ['api.registryVolume=none'], null],
    [
      'per-worker',
      ['registry.storage.filesystem.accessModes={ReadWriteMany}'],
      'rel-portcullis-registry',
    ],
    ['per-worker', [], null],
  ] as const)(
    'the api of %s with %j reads the claim %s, and can not write to it',
    async (values, set, claimName) => {
      const flags = set.flatMap((each) => ['--set', each]);
      const pod = apiOf(objectsOf(await render(tools.helm, values, ...flags)));
      const [api] = pod?.containers ?? [];
      expect(pod && volume(pod, 'registry')?.persistentVolumeClaim).toEqual(
        claimName === null ? undefined : { claimName },
      );
      const mount = {
        name: 'registry',
        mountPath: '/registry',
        subPath: 'registry',
        readOnly: true,
      };
      const mounted = api?.volumeMounts?.filter(({ name }) => name === 'registry');
      expect(mounted).toEqual(claimName === null ? [] : [mount]);
      const storage = api?.env?.find(({ name }) => name === 'REGISTRY_STORAGE')?.value;
      expect(storage).toBe(claimName === null ? undefined : '/registry');
    },
  );

  it('shared: one ReadWriteMany claim is used by all workers and the registry', () => {
    const claim = { claimName: 'rel-portcullis-data' };
    expect(claims(objects('shared'))).toEqual(['rel-portcullis-data']);
    expect(named('shared', 'PersistentVolumeClaim', 'rel-portcullis-data').spec).toMatchObject({
      accessModes: ['ReadWriteMany'],
    });
    for (const name of ['worker-pull', 'worker-scan', 'worker-push', 'registry'])
      expect(volume(podOf('shared', name), 'data')?.persistentVolumeClaim, name).toEqual(claim);
    expect(podOf('shared', 'registry').containers).toHaveLength(1);
  });

  it('perWorker: the workers are a StatefulSet with a ReadWriteOnce claim for each pod', () => {
    const { spec } = named('per-worker', 'StatefulSet', 'rel-portcullis-worker-all');
    expect(spec.volumeClaimTemplates).toMatchObject([
      {
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'fast',
          resources: { requests: { storage: '100Gi' } },
        },
      },
    ]);
    expect(volume(podOf('per-worker', 'worker-all'), 'data')).toBeUndefined();
    expect(podOf('per-worker', 'worker-all').containers[0]?.volumeMounts).toContainEqual({
      name: 'data',
      mountPath: '/data',
    });
    expect(objects('per-worker').filter(({ kind }) => kind === 'Deployment')).toHaveLength(3);
  });

  it('perWorker: a new version of the chart changes no immutable field', () => {
    const { spec } = named('per-worker', 'StatefulSet', 'rel-portcullis-worker-all');
    const { selector, volumeClaimTemplates } = spec;
    expect(JSON.stringify({ selector, volumeClaimTemplates })).not.toMatch(/0\.1\.0/);
  });

  it('perWorker: KEDA scales the StatefulSet', () => {
    expect(
      named('per-worker', 'ScaledObject', 'rel-portcullis-worker-all').spec.scaleTargetRef,
    ).toEqual({
      kind: 'StatefulSet',
      name: 'rel-portcullis-worker-all',
    });
    const { replicas } = named('per-worker', 'StatefulSet', 'rel-portcullis-worker-all').spec;
    expect(replicas).toBeUndefined();
  });

  it('perWorker: a HorizontalPodAutoscaler scales the StatefulSet', async () => {
    const all = objectsOf(await render(tools.helm, 'per-worker', '--set', 'autoscaling.mode=hpa'));
    const targets = all.flatMap(({ spec }) => spec?.scaleTargetRef ?? []);
    expect(targets).toContainEqual({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      name: 'rel-portcullis-worker-all',
    });
  });

  it("ephemeral: a worker has a limited part of its node's disk", () => {
    const data = volume(podOf('ephemeral', 'worker-all'), 'data');
    expect(data).toEqual({ name: 'data', emptyDir: { sizeLimit: '50Gi' } });
    expect(claims(objects('ephemeral'))).toEqual(['rel-portcullis-registry']);
  });

  it('ephemeral with a storage class: a worker has a volume that is deleted with its pod', async () => {
    const all = objectsOf(await render(tools.helm, 'ephemeral', '--set', 'data.storageClass=fast'));
    const spec = podsOf(all).find(({ name }) => name === 'rel-portcullis-worker-all')?.spec;
    expect(spec && volume(spec, 'data')).toMatchObject({
      ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'fast' } } },
    });
  });

  it.each(['per-worker', 'ephemeral'] as const)(
    '%s: the registry has a separate claim, and a worker without stages in its pod collects the garbage',
    async (values) => {
      const { strategy, replicas } = named(values, 'Deployment', 'rel-portcullis-registry').spec;
      expect({ strategy, replicas }).toEqual({ strategy: { type: 'Recreate' }, replicas: 1 });
      const pod = podOf(values, 'registry');
      expect(volume(pod, 'data')?.persistentVolumeClaim).toEqual({
        claimName: 'rel-portcullis-registry',
      });
      const [registry, collector] = pod.containers;
      const mounted = { name: 'data', subPath: 'registry' };
      expect(registry?.volumeMounts).toContainEqual({ ...mounted, mountPath: '/var/lib/registry' });
      expect(registry?.volumeMounts?.map(({ name }) => name)).not.toContain('secrets');
      expect(collector?.volumeMounts).toContainEqual({ ...mounted, mountPath: '/registry' });
      expect(collector?.readinessProbe).toBeUndefined();
      const config = readWorker(await environmentOf(collector));
      expect(config).toMatchObject({
        WORKER_STAGES: [],
        REGISTRY_STORAGE: '/registry',
        REGISTRY_URL: 'http://127.0.0.1:5000',
      });
      const [worker] = podOf(values, 'worker-all').containers;
      const workerConfig = readWorker(await environmentOf(worker));
      expect(workerConfig).toMatchObject({ WORKER_STAGES: ['pull', 'scan', 'push'] });
      expect(workerConfig.REGISTRY_STORAGE).toBeUndefined();
    },
  );

  it('with a bucket there is neither a claim nor a collector, in any mode', async () => {
    const flags = [
      'registry.storage.type=s3',
      'registry.storage.s3.bucket=images',
      'registry.replicas=2',
    ];
    const set = flags.flatMap((flag) => ['--set', flag]);
    const all = objectsOf(await render(tools.helm, 'ephemeral', ...set));
    expect(claims(all)).toEqual([]);
    const registry = podsOf(all).find(({ name }) => name === 'rel-portcullis-registry');
    expect(registry?.spec.containers).toHaveLength(1);
  });

  it("perWorker: a backup runs on the registry's node and reads its volume; a restore has exclusive access", () => {
    const [backup, restore] = [podOf('per-worker', 'backup'), podOf('per-worker', 'restore')];
    for (const spec of [backup, restore]) {
      expect(volume(spec, 'data')?.persistentVolumeClaim).toEqual({
        claimName: 'rel-portcullis-registry',
      });
      expect(spec.containers[0]?.env).toContainEqual({
        name: 'REGISTRY_STORAGE',
        value: '/data/registry',
      });
    }
    expect(backup.affinity).toEqual({
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: {
              matchLabels: {
                'app.kubernetes.io/name': 'portcullis',
                'app.kubernetes.io/instance': 'rel',
                'app.kubernetes.io/component': 'registry',
              },
            },
          },
        ],
      },
    });
    expect(restore.affinity).toBeUndefined(); // the registry is scaled to 0
  });

  it('a backup without a volume for images mounts none', async () => {
    const set = ['registry.enabled=false', 'registry.url=http://other:5000', 'backup.enabled=true'];
    const text = await render(tools.helm, 'ephemeral', ...set.flatMap((flag) => ['--set', flag]));
    expect(claims(objectsOf(text))).toEqual(['rel-portcullis-backups']);
    expect(text).toContain('--without-images');
    const [backup] = podsOf(objectsOf(text)).filter(({ name }) => name === 'rel-portcullis-backup');
    expect(backup && volume(backup.spec, 'data')).toEqual({
      name: 'data',
      emptyDir: { sizeLimit: '50Gi' },
    });
  });

  it('an upgrade from the shared mode keeps the old claim, and the registry can continue with its images', async () => {
    const kept = { 'helm.sh/resource-policy': 'keep' };
    const before = named('shared', 'PersistentVolumeClaim', 'rel-portcullis-data').metadata
      .annotations;
    expect(before).toMatchObject(kept);
    const set = 'registry.storage.filesystem.existingClaim=rel-portcullis-data';
    const all = objectsOf(await render(tools.helm, 'ephemeral', '--set', set));
    expect(claims(all)).toEqual([]);
    const registry = podsOf(all).find(({ name }) => name === 'rel-portcullis-registry')?.spec;
    expect(registry && volume(registry, 'data')?.persistentVolumeClaim).toEqual({
      claimName: 'rel-portcullis-data',
    });
    const mounts = (spec: PodSpec | undefined) => spec?.containers[0]?.volumeMounts;
    expect(mounts(registry)).toEqual(mounts(podOf('shared', 'registry')));
  });
});

it('the bundled registry is configured like that of npm start', () => {
  const config =
    named('minimal', 'ConfigMap', 'rel-portcullis-registry').data?.['config.yml'] ?? '{}';
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

  it('is configured like that of the product, apart from environment variables', () => {
    const config =
      named('bucket', 'ConfigMap', 'rel-portcullis-registry').data?.['config.yml'] ?? '{}';
    const storage = { type: 's3', bucket: '', region: '' } as const;
    const listen = { host: '0.0.0.0', port: 5000 };
    const expected = JSON.parse(registryConfig({ storage, listen, secret: '' }));
    delete expected.http.secret;
    expected.storage.s3 = {};
    expect(JSON.parse(config)).toEqual(expected);
  });

  it('the registry has no volume, and only the registry and the workers have the file with the keys', () => {
    expect(volumesOf('registry')).not.toContain('persistentVolumeClaim');
    for (const name of ['registry', 'worker-all'])
      expect(volumesOf(name), name).toContain('"secretName":"portcullis-bucket"');
    for (const name of ['api', 'notifier'])
      expect(volumesOf(name), name).not.toContain('portcullis-bucket');
  });

  it('a backup does not include images in the bucket', async () => {
    const text = await render(tools.helm, 'bucket', '--set', 'backup.enabled=true');
    expect(text).toMatch(/portcullis backup "[^"]+" --without-images/);
    expect(text).not.toContain('name: REGISTRY_STORAGE\n');
    expect(text).not.toContain('/data/registry');
  });

  it('registry and workers reach the store, and a registry with a volume reaches nothing', () => {
    for (const component of ['registry', 'worker'])
      expect(
        mayConnect(objects('bucket'), labelsOf(component), { app: 'store' }, 9000),
        component,
      ).toBe(true);
    expect(mayConnect(objects('minimal'), labelsOf('registry'), { app: 'store' }, 9000)).toBe(
      false,
    );
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

it('the key generated at the first install is kept by every upgrade', async () => {
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
  'an upgrade restarts the pods that use a changed Secret (O36): %s',
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

/** What helm renders in a cluster with these Secrets. */
async function upgraded(secrets: ReadonlyMap<string, Record<string, string>>): Promise<Rendered[]> {
  await using cluster = await startHelmCluster(objects('shared'), (name) => secrets.get(name));
  const server = [
    '--dry-run=server',
    '--disable-openapi-validation',
    '--kube-apiserver',
    cluster.url,
  ];
  return objectsOf(await render(tools.helm, 'shared', ...server));
}

function templatesOf(all: Rendered[]): Map<string, string> {
  const deployments = all.filter(({ kind }) => kind === 'Deployment');
  return new Map(
    deployments.map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec.template)]),
  );
}
