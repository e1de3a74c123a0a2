/**
 * Two renderings with the same values are equal, also for tools that can't look up what an earlier
 * one generated: Argo CD, `helm template | kubectl apply`, `helm diff`.
 */
import { kubernetesTools } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectsOf, podsOf, type Rendered, render } from '../../support/helm-chart.ts';
import { startHelmCluster } from '../../support/helm-cluster.ts';
import { FILES, type Helm, openHelm } from './values-files.ts';

const KEY = 'secretKey.existingSecret=key';
const SIGNING = 'registry.httpSecret.existingSecret=signing';

let helm: Helm;

beforeAll(async () => {
  helm = await openHelm();
});
afterAll(() => helm?.[Symbol.asyncDispose]());

describe.each(FILES)('with the values %s', (file) => {
  it('two renderings are equal where every Secret is given', async () => {
    const first = await helm.render(file, KEY, SIGNING);
    expect(await helm.render(file, KEY, SIGNING)).toBe(first);
    expect(first).not.toContain('kind: Secret\n');
    expect(first).not.toContain('checksum/secrets');
  });

  it('they differ in nothing but the generated values where none is given', async () => {
    const [first, second] = [await helm.objects(file), await helm.objects(file)];
    expect(second.map(withoutData)).toEqual(first.map(withoutData));
  });
});

function withoutData(object: Rendered): Rendered {
  return object.kind === 'Secret' ? { ...object, data: {} } : object;
}

it('one registry pod needs no Secret for its uploads, and signs with one that it makes', async () => {
  const first = await helm.render('minimal', KEY);
  expect(await helm.render('minimal', KEY)).toBe(first);
  expect(first).not.toContain('REGISTRY_HTTP_SECRET');
});

it.each([
  ['a given Secret', [SIGNING], 'signing'],
  ['the Secret of the chart', [], 'rel-portcullis-secrets'],
])('several registry pods sign their uploads with the same secret: %s', async (_, sets, name) => {
  const all = await helm.objects('high-availability', ...sets);
  const registry = podsOf(all).find((pod) => pod.name === 'rel-portcullis-registry');
  expect(registry?.spec.containers[0]?.env).toContainEqual({
    name: 'REGISTRY_HTTP_SECRET',
    valueFrom: { secretKeyRef: { name, key: 'registry-http-secret' } },
  });
});

it.each([
  ['minimal', []],
  ['minimal', [KEY]],
  ['high-availability', [KEY, SIGNING]],
])(
  'in a cluster the first upgrade changes nothing that the install made: %s with %j',
  async (file, sets) => {
    const tools = await kubernetesTools();
    const secrets = new Map<string, Record<string, string>>([
      ['portcullis-database', { url: 'b25l' }],
      ['portcullis-redis', { url: 'b25l' }],
      ['key', { 'secret-key': 'b25l' }],
    ]);
    const kinds = await helm.objects(file);
    await using cluster = await startHelmCluster(kinds, (name) => secrets.get(name));
    const server = ['--dry-run=server', '--disable-openapi-validation'];
    const at = ['--kube-apiserver', cluster.url, ...sets.flatMap((each) => ['--set', each])];
    const rendered = () => render(tools.helm, file, ...server, ...at);
    const installed = await rendered();
    expect(installed).toContain('checksum/secrets');
    for (const { kind, metadata, data } of objectsOf(installed))
      if (kind === 'Secret') secrets.set(metadata.name, data ?? {});
    expect(await rendered()).toBe(installed);
  },
);
