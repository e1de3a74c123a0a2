/** A judged job with many findings, and the threat feeds about them. */
import {
  DEFAULT_POLICY,
  judge,
  parseFeedFile,
  type ScanReport,
  SEVERITIES,
  type Vulnerability,
} from '@portcullis/domain';
import { publishChange, systemEvent } from '@portcullis/events';
import { openRedis, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { epssFile, kevFile } from '@portcullis/testing';
import { embeddedUrls, type StandaloneProduct } from './product.ts';

const PACKAGES = 400;
/** One in this many is known to be exploited. */
const EXPLOITED = 500;
/** One in this many is in a layer that is known. */
const IN_LAYER = 4;
export const LAYER = `sha256:${'1a'.repeat(32)}`;

/** Returns the id of the job. */
export async function seedFindings(
  product: StandaloneProduct,
  { owner, count }: { owner: string; count: number },
): Promise<string> {
  const ids = idsOf(count);
  await seedFeeds(product, [
    kevFile(ids.filter((_, n) => n % EXPLOITED === 0)),
    epssFile(ids.map((id, n) => [id, ((n * 7919) % 10_000) / 10_000])),
  ]);
  return withStore(product, (store) => seedJob(store, owner, madeUpReport(count)));
}

/** As if the worker had read these files from their publishers. */
export async function seedFeeds(
  product: StandaloneProduct,
  files: readonly Uint8Array[],
): Promise<void> {
  const at = new Date();
  const event = systemEvent({
    ...{ event: 'feeds.updated', outcome: 'success', actor: { id: null, name: 'worker' } },
    ...{ action: 'update', resource: null, detail: {} },
  });
  const read = { source: 'import', validator: null, at };
  await withStore(product, async ({ feeds }) => {
    for (const file of files) await feeds.replace(await parseFeedFile(file, at), read, event);
  });
  const { redis } = await embeddedUrls(product.dataDir);
  const connection = openRedis(redis, { mode: 'patient' });
  await publishChange(connection, 'settings');
  connection.disconnect();
}

async function withStore<T>(
  product: StandaloneProduct,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = openStore(await product.databaseUrl(), sealer(Buffer.alloc(32)));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function seedJob({ jobs, users }: Store, owner: string, report: ScanReport): Promise<string> {
  const account = await users.findByUsername(owner);
  if (!account) throw new Error(`there is no account ${owner}`);
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await jobs.insert({ ownerId: account.id, image: 'acme/old', tag: '1.0', source });
  await jobs.update(id, (job) => {
    const { verdict, result } = judge(report, DEFAULT_POLICY, job.overrides);
    return { ...job, status: 'staged', verdict, vulnResult: result, finishedAt: new Date() };
  });
  return id;
}

const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `CVE-2099-${10_000 + n}`);

/** A report of so many findings. */
export function madeUpReport(count: number): ScanReport {
  const vulnerabilities = idsOf(count).map(vulnerability);
  return {
    ...{ coverage: 'full', notes: [], os: null, targets: [], vulnerabilities },
    scanner: { name: 'trivy', version: '0.1', dbUpdatedAt: null },
  };
}

function vulnerability(id: string, n: number): Vulnerability {
  const severity = SEVERITIES[n % SEVERITIES.length] ?? 'UNKNOWN';
  const isFixable = n % 3 === 0;
  return {
    id,
    severity,
    title: `A made-up fault in the package ${n % PACKAGES}`,
    cvssScore: (n * 13) % 7 === 0 ? null : ((n * 37) % 101) / 10,
    ...{ cvssVector: null, cvssSource: 'nvd', primaryUrl: null, publishedAt: null },
    packages: Array.from({ length: 1 + (n % 2) }, (_, more) => ({
      name: `package-${(n + more) % PACKAGES}`,
      installedVersion: `1.${n % 10}.0-1`,
      fixedVersion: isFixable ? `1.${n % 10}.1-1` : null,
      ...{ severity, status: isFixable ? 'fixed' : 'affected', target: 'debian 12' },
      ...{ path: null, purl: null, layerDigest: n % IN_LAYER === 0 ? LAYER : null, platform: null },
    })),
  };
}
