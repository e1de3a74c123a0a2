/** What operators set in their clusters, and what the chart says where something is missing. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { yamllint } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CHART,
  containersOf,
  matches,
  objectsOf,
  podsOf,
  type Rendered,
} from '../../support/helm-chart.ts';
import { FILES, type Helm, openHelm } from './values-files.ts';

let helm: Helm;

beforeAll(async () => {
  helm = await openHelm();
});
afterAll(() => helm?.[Symbol.asyncDispose]());

function one(all: Rendered[], kind: string, name: string): Rendered {
  const found = all.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

it.each(FILES)('hooks leave no object in the cluster after `helm uninstall`: %s', async (file) => {
  const hooks = (await helm.objects(file)).filter(
    ({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined,
  );
  expect(hooks.length).toBeGreaterThan(2);
  for (const { kind, metadata } of hooks)
    expect(metadata.annotations?.['helm.sh/hook-delete-policy'], `${kind} ${metadata.name}`).toBe(
      'before-hook-creation,hook-succeeded',
    );
});

it('what has to be given is enough in a cluster with ordinary disks and any ingress', async () => {
  const all = await helm.objects('minimal', 'ingress.enabled=true', 'ingress.hosts={a.example}');
  const claims = all.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const templates = all.flatMap(({ spec }) => spec?.volumeClaimTemplates ?? []);
  expect(claims.length + templates.length).toBe(2);
  for (const { spec } of [...claims, ...templates])
    expect(spec).toMatchObject({ accessModes: ['ReadWriteOnce'] });
  const { metadata, spec } = one(all, 'Ingress', 'rel-portcullis');
  expect(metadata.annotations).toBeUndefined();
  expect(spec).not.toHaveProperty('ingressClassName');
});

it.each([
  ['nulls of a values file', 'openshift', []],
  [
    'empty texts, as in the values of another chart',
    'minimal',
    ['runAsUser', 'runAsGroup', 'fsGroup'].map((field) => `podSecurityContext.${field}=`),
  ],
])('no user or group is fixed with %s', async (_, file, sets) => {
  for (const { name, spec } of podsOf(await helm.objects(file, ...sets)))
    expect(spec.securityContext, name).toEqual({
      runAsNonRoot: true,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    });
});

it('names are resolved at the port of the pods that resolve them', async () => {
  const rules = (await helm.objects('openshift')).flatMap(({ spec }) => spec?.egress ?? []);
  const ports = new Set(rules.flatMap((rule) => rule.ports ?? []).map(({ port }) => port));
  expect(ports).toContain(5353);
  expect(ports).not.toContain(53);
});

it('a field of the security context of containers can be left out or added', async () => {
  const sets = ['capabilities=null', 'runAsUser=1000620000'];
  const flags = sets.map((each) => `containerSecurityContext.${each}`);
  const pods = podsOf(await helm.objects('minimal', ...flags));
  for (const { securityContext } of pods.flatMap(({ spec }) => spec.containers)) {
    expect(securityContext).not.toHaveProperty('capabilities');
    expect(securityContext).toMatchObject({ runAsUser: 1000620000, readOnlyRootFilesystem: true });
  }
});

describe('labels, volumes, containers and objects of a company', () => {
  it('are on every object and in every pod, and change no selector', async () => {
    const all = await helm.objects('extras');
    const own = all.filter(({ metadata }) => metadata.labels !== undefined);
    for (const { kind, metadata } of own)
      expect(metadata.labels, `${kind} ${metadata.name}`).toMatchObject({ team: 'registries' });
    for (const { name, labels, spec } of podsOf(all)) {
      const isTest = labels['app.kubernetes.io/component'] === 'test';
      if (!isTest) expect(labels, name).toMatchObject({ 'sidecar.istio.io/inject': 'false' });
      expect(spec.volumes, name).toContainEqual({
        name: 'company',
        configMap: { name: 'rel-company' },
      });
      expect(spec.initContainers?.[0], name).toMatchObject({
        command: ['echo', 'rel'],
        securityContext: { readOnlyRootFilesystem: true },
      });
      for (const { volumeMounts } of containersOf(spec))
        expect(volumeMounts).toContainEqual({
          name: 'company',
          mountPath: '/etc/company',
          readOnly: true,
        });
      expect(spec).toMatchObject({
        hostAliases: [{ ip: '10.1.2.3', hostnames: ['postgres.example.com'] }],
        dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
      });
    }
    expect(one(all, 'ConfigMap', 'rel-company').data).toEqual({ motd: 'Hello' });
    one(all, 'ConfigMap', 'rel-portcullis-text');
    for (const { kind, spec } of all)
      if (kind === 'Deployment' || kind === 'StatefulSet')
        expect(spec).toMatchObject({ revisionHistoryLimit: 3 });
    const selectors = JSON.stringify(all.map(({ spec }) => spec?.selector ?? spec?.podSelector));
    expect(selectors).not.toContain('team');
    const [api] = podsOf(all).filter(({ name }) => name === 'rel-portcullis-api');
    expect(api?.labels).toMatchObject({ tier: 'front' });
  });

  it('replace no label by which the chart selects its pods', async () => {
    const label = 'podLabels.app\\.kubernetes\\.io/component=mine';
    const all = await helm.objects('minimal', label);
    const { spec } = one(all, 'Deployment', 'rel-portcullis-api');
    expect(matches(spec.selector ?? {}, spec.template?.metadata.labels ?? {})).toBe(true);
  });
});

it('a load balancer has its class, clients, addresses and ports', async () => {
  const { spec } = one(await helm.objects('load-balancer'), 'Service', 'rel-portcullis-api');
  expect(spec).toMatchObject({
    type: 'LoadBalancer',
    loadBalancerClass: 'example.com/internal',
    loadBalancerSourceRanges: ['10.0.0.0/8', 'fd00::/8'],
    externalTrafficPolicy: 'Local',
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'PreferDualStack',
    ports: [{ name: 'http', port: 80, targetPort: 'http', nodePort: 30080 }],
  });
});

describe('an HTTPRoute', () => {
  it('sends all paths to the api, without a limit of time', async () => {
    const { spec, metadata } = one(await helm.objects('gateway'), 'HTTPRoute', 'rel-portcullis');
    expect(metadata.annotations).toEqual({ a: 'b' });
    expect(spec).toEqual({
      parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
      hostnames: ['images.example.com'],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: [{ name: 'rel-portcullis-api', port: 80 }],
          timeouts: { request: '0s' },
        },
      ],
    });
  });

  it('has no timeouts for a gateway that does not support them', async () => {
    const text = await helm.render('gateway', 'httpRoute.timeouts.request=');
    expect(text).not.toContain('timeouts');
  });
});

it('a registry with several pods has a volume that they can share, and rolls over', async () => {
  const all = await helm.objects('high-availability');
  expect(one(all, 'PersistentVolumeClaim', 'rel-portcullis-registry').spec).toMatchObject({
    accessModes: ['ReadWriteMany'],
  });
  expect(one(all, 'Deployment', 'rel-portcullis-registry').spec).toMatchObject({
    replicas: 2,
    strategy: { rollingUpdate: { maxUnavailable: 0 } },
  });
});

it('both monitors have the limits and relabelings', async () => {
  const all = await helm.objects('high-availability');
  const endpoint = {
    port: 'metrics',
    interval: '30s',
    scrapeTimeout: '20s',
    relabelings: [{ action: 'replace', targetLabel: 'cluster', replacement: 'one' }],
    metricRelabelings: [{ action: 'drop', sourceLabels: ['__name__'], regex: 'nodejs_.*' }],
  };
  expect(one(all, 'ServiceMonitor', 'rel-portcullis-api').spec).toMatchObject({
    endpoints: [endpoint],
  });
  expect(one(all, 'PodMonitor', 'rel-portcullis').spec).toMatchObject({
    podMetricsEndpoints: [endpoint],
  });
});

it('a group of workers needs no limits of the autoscaler of its own', async () => {
  const groups = {
    all: { stages: ['pull', 'scan', 'push'] },
    more: { stages: ['pull', 'scan', 'push'] },
  };
  const values = { autoscaling: { mode: 'hpa' }, worker: { groups } };
  const all = objectsOf(await helm.call(['template'], values));
  const limits = { minReplicas: 1, maxReplicas: 8 };
  for (const name of ['all', 'more'])
    expect(one(all, 'HorizontalPodAutoscaler', `rel-portcullis-worker-${name}`).spec).toMatchObject(
      limits,
    );
});

it.each([
  ['app', 'mirror.example.com', 'mirror.example.com/app:0.1.0'],
  ['team/app', 'mirror.example.com/cache', 'mirror.example.com/cache/team/app:0.1.0'],
  ['docker.io/team/app', 'mirror.example.com', 'mirror.example.com/team/app:0.1.0'],
  ['host:5000/team/app', 'mirror.example.com', 'mirror.example.com/team/app:0.1.0'],
  ['localhost/app', 'mirror.example.com:5000', 'mirror.example.com:5000/app:0.1.0'],
  ['docker.io/team/app', '', 'docker.io/team/app:0.1.0'],
])('the image %s from the mirror "%s" is %s', async (repository, imageRegistry, image) => {
  const values = { images: { api: { repository } }, global: { imageRegistry } };
  const pods = podsOf(objectsOf(await helm.call(['template'], values)));
  const api = pods.find(({ name }) => name === 'rel-portcullis-api');
  expect(api?.spec.containers[0]).toMatchObject({ image });
});

it('with a mirror every image of every pod is from there', async () => {
  const pods = podsOf(await helm.objects('air-gap', 'backup.enabled=true', 'restore.file=a.tar'));
  const images = pods.flatMap(({ spec }) => containersOf(spec)).map((each) => each.image);
  expect(images.length).toBeGreaterThan(7);
  for (const image of images) expect(image).toMatch(/^mirror\.example\.com:5000\/portcullis\//);
});

describe('the notes after an installation', () => {
  const notes = async (values: object) => {
    const text = await helm.call(['install', '--dry-run=client'], values);
    return text.slice(text.indexOf('NOTES:'));
  };
  const routed = { hosts: ['a.example'], tls: [{ secretName: 't', hosts: ['a.example'] }] };
  const ingress = { enabled: true, annotations: { a: 'b' }, ...routed };
  const whole = {
    ingress,
    api: { trustedProxies: ['10.0.0.0/8'] },
    backup: { enabled: true },
    metrics: { rules: { enabled: true } },
  };

  it('name nothing where nothing is missing', async () => {
    expect(await notes(whole)).not.toContain('MISSING');
  });

  it.each([
    ['trusted proxies', { api: { trustedProxies: [] } }, 'api.trustedProxies is empty'],
    ['TLS', { ingress: { ...ingress, tls: [] } }, 'http://a.example has no TLS'],
    ['limits of the ingress', { ingress: { ...ingress, annotations: {} } }, 'ingress.annotations'],
    ['a route', { ingress: { enabled: false } }, 'No ingress and no httpRoute'],
    ['backups', { backup: { enabled: false } }, 'backup.enabled is false'],
    ['policies', { networkPolicy: { enabled: false } }, 'networkPolicy.enabled is false'],
    ['alerts', { metrics: { rules: { enabled: false } } }, 'metrics.rules.enabled is false'],
    ['a class of shared volumes', { data: { mode: 'shared' } }, 'data.storageClass is empty'],
    [
      'the public URL of a gateway',
      { ingress: { enabled: false }, httpRoute: { enabled: true, parentRefs: [{ name: 'a' }] } },
      'publicUrl is empty',
    ],
  ])('name missing %s', async (_, change, sentence) => {
    const said = await notes({ ...whole, ...change });
    expect(said.split('MISSING')[1]).toContain(sentence);
    expect(said.match(/^- /gm)).toHaveLength(1);
  });
});

it("the rules of Helm's chart-testing for YAML hold", async () => {
  const files = globSync('{Chart.yaml,values.yaml,ci/*.yaml}', { cwd: CHART });
  expect(files).toHaveLength(FILES.length + 2);
  const said = await yamllint(
    join(CHART, '../lintconf.yaml'),
    files.map((file) => join(CHART, file)),
  );
  expect(said).toBe('');
});
