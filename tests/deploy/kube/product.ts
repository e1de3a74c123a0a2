/**
 * The product as installed by the chart: rendered by helm against a cluster that answers its
 * look-ups, and each pod run as rendered. PostgreSQL, Redis and the other registry are external
 * services on this machine.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import {
  kubernetesTools,
  startPostgres,
  startRedis,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { CHART } from '../../support/helm-chart.ts';
import { startHelmCluster } from '../../support/helm-cluster.ts';
import type { Product } from '../../support/product.ts';
import { API_IMAGE, WORKER_IMAGE } from '../containers/engine.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { podmanWith } from './container.ts';
import { type KubeObject, parseManifests } from './manifest.ts';
import { MODES, type Mode, type Values, valuesFor } from './modes.ts';
import type { Target } from './network.ts';

const RELEASE = 'portcullis';

export interface KubeProduct extends Product {
  cluster: Cluster;
  /** Renders as for `helm upgrade`; `more` are arguments of helm. */
  render(values?: Values, ...more: string[]): Promise<KubeObject[]>;
  /** Upgrades with these values in addition to those of the installation. */
  upgrade(values?: Values): Promise<KubeObject[]>;
}

/** The mode that `PRODUCT` names, such as `kube-shared`; null for another product. */
export function modeOf(product: string | undefined): Mode | null {
  return MODES.find((mode) => product === `kube-${mode}`) ?? null;
}

export async function startKube(
  env: Record<string, string>,
  upstream: TestRegistry,
  mode: Mode,
): Promise<KubeProduct> {
  const parts = new AsyncDisposableStack();
  try {
    return await install(parts, { env, upstream, mode });
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function install(
  parts: AsyncDisposableStack,
  { env, upstream, mode }: { env: Record<string, string>; upstream: TestRegistry; mode: Mode },
): Promise<KubeProduct> {
  const { ADMIN_PASSWORD = '', ...config } = env;
  const dir = await temporaryDir();
  parts.defer(() => dir.remove());
  const postgres = parts.use(await startPostgres());
  const redis = parts.use(await startRedis());
  const name = `k${randomBytes(3).toString('hex')}`;
  const state = path.join(dir.path, 'cluster');
  await mkdir(state);
  const cluster = await openCluster(name, state);
  let output = '';
  parts.defer(async () => {
    output = `${await cluster.stop()}\n${cluster.faults().join('\n')}\n`;
    if (cluster.faults().length === 0 && !/ended with code (?!0)/.test(output))
      output += 'stopped\n';
  });
  const databaseUrl = await outside(cluster, postgres.url);
  cluster.createSecret('portcullis-database', { url: databaseUrl });
  cluster.createSecret('portcullis-redis', { url: await outside(cluster, redis.url) });
  cluster.createSecret('portcullis-admin', { password: ADMIN_PASSWORD });
  const source = hostOf(await cluster.network.offer(upstream.host));
  const settings = Object.entries(config).map(([key, value]) => [
    key,
    value.replaceAll(upstream.host, source),
  ]);
  const { createSecret } = cluster;
  const chosen = await valuesFor(mode, {
    parts,
    createSecret,
    reach: (url) => outside(cluster, url),
  });
  const base = { ...valuesOf(Object.fromEntries(settings)), ...chosen };
  const renderer = await rendererFor(parts, { cluster, base, dir: dir.path });
  const upgrade = async (values: Values = {}) => {
    const objects = await renderer(values, '--is-upgrade');
    await cluster.apply(objects, 'upgrade');
    return objects;
  };
  await cluster.apply(await renderer({}), 'install');
  return {
    cluster,
    upgrade,
    render: (values = {}, ...more) => renderer(values, '--is-upgrade', ...more),
    url: `http://${cluster.addressOf(`${RELEASE}-api`)}`,
    dataDirs: () => [...new Set(cluster.pods('worker').map((pod) => pod.folderOf('data')))],
    upstreamHost: source,
    databaseUrl: async () => databaseUrl,
    output: () => output,
    firstPassword: null,
    running: async () =>
      (await podmanWith({}, 'ps', '--all', '--format', '{{.Names}}'))
        .split('\n')
        .filter((each) => each.startsWith(`${name}-`)),
    stop: () => parts.disposeAsync(),
  };
}

/** Values of an operator with an external database, Redis and ingress. */
function valuesOf(config: Values): Values {
  const image = (repository: string) => ({ repository, tag: 'latest', pullPolicy: 'Never' });
  return {
    images: { api: image(API_IMAGE), worker: image(WORKER_IMAGE) },
    database: { existingSecret: 'portcullis-database' },
    redis: { existingSecret: 'portcullis-redis' },
    secretFiles: [{ name: 'ADMIN_PASSWORD', secret: 'portcullis-admin', key: 'password' }],
    config,
    backup: { enabled: true },
    networkPolicy: { clients: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  };
}

async function rendererFor(
  parts: AsyncDisposableStack,
  { cluster, base, dir }: { cluster: Cluster; base: Values; dir: string },
): Promise<(values: Values, ...more: string[]) => Promise<KubeObject[]>> {
  const { helm } = await kubernetesTools();
  const file = path.join(dir, 'values.json');
  const overridesFile = path.join(dir, 'more-values.json');
  await writeFile(file, JSON.stringify(base));
  const args = ['template', RELEASE, CHART, '--namespace', 'prod', '-f', file, '-f', overridesFile];
  const template = async (values: Values, ...more: string[]) => {
    await writeFile(overridesFile, JSON.stringify(values));
    return parseManifests(await run(helm, [...args, ...more]));
  };
  const kinds = await template({ restore: { file: 'any.tar' } });
  const api = parts.use(await startHelmCluster(kinds, (name) => cluster.secret(name)));
  const server = ['--dry-run=server', '--disable-openapi-validation', '--kube-apiserver', api.url];
  return (values, ...more) => template(values, ...server, ...more);
}

/** A URL of this machine's loopback, as pods reach it. */
async function outside(cluster: Cluster, url: string): Promise<string> {
  const [host = ''] = /127\.0\.0\.1:\d+/.exec(url) ?? [];
  return url.replace(host, hostOf(await cluster.network.offer(host)));
}

function hostOf({ host, port }: Target): string {
  return `${host}:${port}`;
}
