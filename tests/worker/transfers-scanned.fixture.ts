/** What transfers-scanned.int and transfers-scanned.night start, and how they look at it. */
import type { StagingJob } from '@portcullis/domain';
import type { SavedRegistry, User } from '@portcullis/store';
import {
  debianImage,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TestImage,
  type TestRegistry,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
  type Ends,
  fromSaved,
  orderOf,
  submitTransfer,
  tagged,
  toSaved,
  transferOver,
} from './batch.ts';
import { type Harness, openHarness } from './harness.ts';
import { type FaultyRegistry, startProxy } from './proxy.ts';

export let harness: Harness;

let registries: TestRegistry[];

export let source: Counted;

export let target: Counted;

interface Counted {
  registry: TestRegistry;
  proxy: FaultyRegistry;
  saved: SavedRegistry;
}

async function counted(registry: TestRegistry | undefined): Promise<Counted> {
  if (!registry) throw new Error('no registry');
  const proxy = await startProxy(registry.url);
  const saved = await harness.store.registries.insert({
    name: proxy.host,
    host: proxy.host,
    useTls: false,
  });
  return { registry, proxy, saved };
}

export const CLEAN = [{ name: 'tzdata', version: '2024a-0' }];

export const NOT_SCANNED = 'scan_reused';

export async function pushClean(repository: string): Promise<TestImage> {
  const more = [randomFiles(5_000, 'one.bin'), randomFiles(6_000, 'two.bin')];
  const image = await debianImage({ packages: CLEAN, more });
  await pushImage(source.registry.url, repository, '1', image);
  return image;
}

interface How {
  to?: Ends['to'];
  by?: User;
  platforms?: string[];
}

export async function transferred(images: string[], how: How = {}) {
  const { to = toSaved(target.saved), by = harness.admin, platforms = 'all' } = how;
  const entries = images.map((name) => tagged(name));
  const order = orderOf({ from: fromSaved(source.saved), to }, entries, { platforms });
  const id = await submitTransfer(harness, order, by);
  const { counts } = await transferOver(harness, id);
  const { items } = await harness.store.jobs.list({ transferId: id });
  return { counts, jobs: await Promise.all(items.map((job) => harness.store.jobs.get(job.id))) };
}

export const kinds = ({ timeline }: StagingJob) => timeline.map(({ kind }) => kind);

export const digestsSeen = (seen: { path: string }[]) =>
  [
    ...new Set(seen.map(({ path }) => /sha256:[0-9a-f]{64}/.exec(decodeURIComponent(path))?.[0])),
  ].sort();

export async function newDatabase(): Promise<string> {
  // The scanner omits a zero at the end.
  const UpdatedAt = new Date(Math.floor(Date.now() / 10) * 10 + 1).toISOString();
  await serveVulnerabilityDb(harness.registry.url, { metadata: { UpdatedAt } });
  const order = { kind: 'scanner-db', options: {}, requestedBy: 'root' } as const;
  const run = await harness.store.maintenance.request(order);
  await expect
    .poll(() => harness.store.maintenance.latest('scanner-db'), { interval: 200 })
    .toMatchObject({ id: run?.id, state: 'done', error: null });
  return UpdatedAt;
}

export function startCounting(): void {
  beforeAll(async () => {
    const trivy = await testTrivy();
    [harness, ...registries] = await Promise.all([openHarness(), startRegistry(), startRegistry()]);
    [source, target] = await Promise.all([counted(registries[0]), counted(registries[1])]);
    await harness.startWorker({
      TRIVY_ENABLED: 'true',
      TRIVY_PATH: trivy,
      TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(harness.registry.url),
      EGRESS_ALLOW: '127.0.0.1',
    });
  });
  afterAll(async () => {
    await harness?.[Symbol.asyncDispose]();
    await Promise.all([source, target].map((each) => each?.proxy[Symbol.asyncDispose]()));
    await Promise.all(registries.map((registry) => registry.stop()));
  });
  beforeEach(() => {
    for (const { proxy } of [source, target]) proxy.seen.length = 0;
  });
}
