/** Downloads of transfers with scanning, counted at both ends, where reports are known. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StagingJob } from '@portcullis/domain';
import { scannerPaths } from '@portcullis/scanner';
import type { SavedRegistry, User } from '@portcullis/store';
import {
  buildArtifact,
  buildIndex,
  debianImage,
  fetchManifest,
  npmFiles,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TestImage,
  type TestPackage,
  type TestRegistry,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Ends,
  fromSaved,
  orderOf,
  submitTransfer,
  tagged,
  toLocal,
  toSaved,
  transferOver,
} from './batch.ts';
import { type Harness, openHarness } from './harness.ts';
import { type Behaviour, blobTraffic, type FaultyRegistry, startProxy } from './proxy.ts';
import { forgetLayers, rememberedLayers } from './scanner-memory.ts';

let harness: Harness;
let registries: TestRegistry[];
let source: Counted;
let target: Counted;

interface Counted {
  registry: TestRegistry;
  proxy: FaultyRegistry;
  saved: SavedRegistry;
}

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

beforeEach(() => {
  for (const { proxy } of [source, target]) proxy.seen.length = 0;
});

const CLEAN = [{ name: 'tzdata', version: '2024a-0' }];
const FLAWED = [{ name: 'lodash', version: '4.17.10' }];
const NOT_SCANNED = 'scan_reused';

async function pushClean(repository: string): Promise<TestImage> {
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

async function transferred(images: string[], how: How = {}) {
  const { to = toSaved(target.saved), by = harness.admin, platforms = 'all' } = how;
  const entries = images.map((name) => tagged(name));
  const order = orderOf({ from: fromSaved(source.saved), to }, entries, { platforms });
  const id = await submitTransfer(harness, order, by);
  const { counts } = await transferOver(harness, id);
  const { items } = await harness.store.jobs.list({ transferId: id });
  return { counts, jobs: await Promise.all(items.map((job) => harness.store.jobs.get(job.id))) };
}

const kinds = ({ timeline }: StagingJob) => timeline.map(({ kind }) => kind);
const digestsSeen = (seen: { path: string }[]) =>
  [
    ...new Set(seen.map(({ path }) => /sha256:[0-9a-f]{64}/.exec(decodeURIComponent(path))?.[0])),
  ].sort();

async function newDatabase(): Promise<string> {
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

it('a repeated batch transfers no byte of a blob in either direction, and every job has its report', async () => {
  const names = ['fam/a', 'fam/b', 'fam/c'];
  for (const name of names) await pushClean(name);
  const first = await transferred(names);
  expect(first.counts).toEqual({ pushed: 3 });
  expect(first.jobs.flatMap(kinds)).not.toContain(NOT_SCANNED);
  for (const { proxy } of [source, target]) proxy.seen.length = 0;

  const { counts, jobs } = await transferred(names);
  expect(counts).toEqual({ pushed: 3 });
  expect(blobTraffic(source.proxy.seen)).toEqual([]);
  expect(blobTraffic(target.proxy.seen)).toEqual([]);
  for (const job of jobs) {
    expect(job).toMatchObject({ verdict: 'clean', vulnResult: { coverage: 'full', total: 0 } });
    expect(kinds(job)).toContain(NOT_SCANNED);
    const kept = await readdir(path.join(harness.dataDir, 'cache', 'staging', job.id, 'reports'));
    expect(kept).toHaveLength(2);
    expect(kept).toContain('reports.json');
  }
});

it.each([
  ['one platform', ['linux/amd64']],
  ['two of three', ['linux/amd64', 'linux/arm64']],
])(
  'a repeat of %s does the same, with a digest that differs from the whole image’s',
  async (name, platforms) => {
    const repository = `part/${name.replaceAll(' ', '-')}`;
    const all = ['linux/amd64', 'linux/arm64', 'linux/s390x'];
    const images = await Promise.all(
      all.map((platform) => debianImage({ platform, packages: CLEAN, more: [randomFiles(4_000)] })),
    );
    await pushImage(source.registry.url, repository, '1', buildIndex(images));
    const wanted = images.slice(0, platforms.length).flatMap(({ blobs }) => blobs);
    const first = await transferred([repository], { platforms });
    expect(first.counts).toEqual({ pushed: 1 });
    expect(digestsSeen(blobTraffic(source.proxy.seen))).toEqual(
      [...new Set(wanted.map(({ descriptor }) => descriptor.digest))].sort(),
    );
    for (const { proxy } of [source, target]) proxy.seen.length = 0;

    const { counts, jobs } = await transferred([repository], { platforms });
    expect(counts).toEqual({ pushed: 1 });
    expect(jobs.flatMap(kinds)).toContain(NOT_SCANNED);
    expect(jobs[0]?.vulnResult?.targets).toHaveLength(platforms.length);
    expect(blobTraffic(source.proxy.seen)).toEqual([]);
    expect(blobTraffic(target.proxy.seen)).toEqual([]);
  },
);

describe('a new vulnerability database causes another scan', () => {
  async function again(repository: string, image: TestImage, meanwhile = async () => {}) {
    expect((await transferred([repository])).counts).toEqual({ pushed: 1 });
    const dbUpdatedAt = await newDatabase();
    await meanwhile();
    for (const { proxy } of [source, target]) proxy.seen.length = 0;
    const { counts, jobs } = await transferred([repository]);
    expect(counts).toEqual({ pushed: 1 });
    expect(jobs.flatMap(kinds)).not.toContain(NOT_SCANNED);
    expect(jobs).toMatchObject([{ verdict: 'clean', vulnResult: { scanner: { dbUpdatedAt } } }]);
    expect(blobTraffic(target.proxy.seen)).toEqual([]);
    const [config, ...layers] = image.blobs.map(({ descriptor }) => descriptor.digest);
    return { fetched: digestsSeen(blobTraffic(source.proxy.seen)), config, layers };
  }

  it('without a download, while the scanner remembers all layers', async () => {
    const { fetched, config } = await again('fresh/app', await pushClean('fresh/app'));
    expect(fetched).toEqual([config]);
  });

  it('with a download of everything the scan needs, where the scanner has forgotten a layer', async () => {
    const others = await rememberedLayers(harness);
    const { fetched, config, layers } = await again(
      'fresh/old',
      await pushClean('fresh/old'),
      async () => {
        const own = (await rememberedLayers(harness)).filter((key) => !others.includes(key));
        expect(own.length).toBeGreaterThan(1);
        await forgetLayers(harness, own.slice(0, 1));
      },
    );
    expect(fetched).toEqual([config, ...layers].sort());
  });

  it('also of selected platforms, whose index only we have', async () => {
    const all = ['linux/amd64', 'linux/arm64', 'linux/s390x'];
    const images = await Promise.all(
      all.map((platform) => debianImage({ platform, packages: CLEAN })),
    );
    await pushImage(source.registry.url, 'fresh/part', '1', buildIndex(images));
    const platforms = all.slice(0, 2);
    expect((await transferred(['fresh/part'], { platforms })).counts).toEqual({ pushed: 1 });
    await newDatabase();
    await forgetLayers(harness);
    const { counts, jobs } = await transferred(['fresh/part'], { platforms });
    expect(counts).toEqual({ pushed: 1 });
    expect(jobs.flatMap(kinds)).toContainEqual('layers_missing');
    expect(jobs).toMatchObject([{ verdict: 'clean', vulnResult: { coverage: 'full' } }]);
  });
});

it('a report from another account’s scan blocks under this job’s policy, without a download', async () => {
  await pushImage(
    source.registry.url,
    'flawed/app',
    '1',
    await debianImage({ more: [randomFiles(3_000)] }),
  );
  // Administrators may push whatever the verdict.
  expect((await transferred(['flawed/app'])).counts).toEqual({ pushed: 1 });
  source.proxy.seen.length = 0;

  const group = await harness.store.groups.insertGroup({ name: 'crew' });
  await harness.store.groups.addMember(group.id, harness.alice.id);
  const folder = await harness.store.folders.insertFolder({ name: 'flawed' });
  await harness.store.folders.grant(folder.id, group.id, { canPullExternal: true, canPush: true });
  const { jobs } = await transferred(['flawed/app'], {
    to: toLocal(harness.registry.host),
    by: harness.alice,
  });
  expect(jobs).toMatchObject([
    { status: 'failed', verdict: 'blocked', error: { code: 'VULN_BLOCKED' } },
  ]);
  expect(jobs.flatMap(kinds)).toContain(NOT_SCANNED);
  expect(jobs[0]?.vulnResult?.counts.CRITICAL).toBeGreaterThan(0);
  expect(JSON.stringify(jobs[0]?.timeline)).not.toContain(harness.admin.username);
  expect(blobTraffic(source.proxy.seen)).toEqual([]);
  expect((await fetchManifest(harness.registry.url, 'flawed/app', '1')).status).toBe(404);
});

it('for a known image, a target that lacks one layer gets that layer only', async () => {
  const image = await pushClean('gap/app');
  expect((await transferred(['gap/app'], { to: toLocal(harness.registry.host) })).counts).toEqual({
    pushed: 1,
  });
  const [config, base, lacking, ...rest] = image.blobs;
  const there = [config, base, ...rest].flatMap((blob) => blob ?? []);
  const part = buildArtifact({
    layers: there.map(({ descriptor, bytes }) => ({ mediaType: descriptor.mediaType, bytes })),
  });
  await pushImage(target.registry.url, 'gap/app', 'part', part);
  for (const { proxy } of [source, target]) proxy.seen.length = 0;

  const { counts, jobs } = await transferred(['gap/app']);
  expect(counts).toEqual({ pushed: 1 });
  expect(jobs.flatMap(kinds)).toContain(NOT_SCANNED);
  expect(digestsSeen(blobTraffic(source.proxy.seen))).toEqual([lacking?.descriptor.digest]);
  expect(
    digestsSeen(blobTraffic(target.proxy.seen).filter(({ method }) => method === 'PUT')),
  ).toEqual([lacking?.descriptor.digest]);
  const arrived = await fetchManifest(target.registry.url, 'gap/app', '1');
  expect(Buffer.from(arrived.body).equals(Buffer.from(image.bytes))).toBe(true);
});

describe('a new image on layers that the scanner remembers', () => {
  const own = (packages: TestPackage[]) => ({
    ...randomFiles(150_000, 'own.bin'),
    ...npmFiles(packages),
  });

  const digestsOf = ({ blobs }: TestImage): string[] =>
    blobs.map(({ descriptor }) => descriptor.digest);

  /** The layers of which the scanner has kept what it read, a moment after the scan. */
  async function knownLayers(): Promise<string[]> {
    const names = await readdir(scannerPaths(harness.dataDir).layers).catch(() => []);
    return names.map((name) => name.replace('-', ':').replace(/\.json$/, ''));
  }

  /** An image on a base of which another image was transferred and then dropped from the cache. */
  async function onKnownBase(
    name: string,
    flaws: Record<'base' | 'own', TestPackage[]> = { base: [], own: [] },
  ) {
    const base = [
      { ...randomFiles(300_000, 'one.bin'), ...npmFiles(flaws.base) },
      randomFiles(200_000, 'two.bin'),
    ];
    const first = await debianImage({ packages: CLEAN, more: [...base, own([])] });
    const image = await debianImage({ packages: CLEAN, more: [...base, own(flaws.own)] });
    await pushImage(source.registry.url, `${name}/first`, '1', first);
    await pushImage(source.registry.url, `${name}/app`, '1', image);
    expect((await transferred([`${name}/first`])).counts).toEqual({ pushed: 1 });
    await expect
      .poll(() => knownLayers())
      .toEqual(expect.arrayContaining(digestsOf(first).slice(1)));
    await emptyCache();
    source.proxy.seen.length = 0;
    target.proxy.seen.length = 0;
    const large = image.blobs.flatMap(({ descriptor: { size, digest } }) =>
      size > 180_000 ? digest : [],
    );
    const shared: string[] = large.filter((digest) => digestsOf(first).includes(digest));
    expect(shared).toHaveLength(2);
    return {
      base: shared,
      rest: digestsOf(image).filter((digest) => !shared.includes(digest)),
      image,
    };
  }

  async function emptyCache(): Promise<void> {
    for (const dir of ['staging', 'blobs/sha256']) {
      const at = path.join(harness.dataDir, 'cache', dir);
      for (const name of await readdir(at))
        await rm(path.join(at, name), { recursive: true, force: true });
    }
  }

  const whole = () => digestsSeen(source.proxy.blobGets());
  const shown = () =>
    blobTraffic(source.proxy.seen).filter((each) => !source.proxy.blobGets().includes(each));

  it('downloads its own layers; for the others the source proves possession, and the target mounts them', async () => {
    const { base, rest, image } = await onKnownBase('known');
    const { counts, jobs } = await transferred(['known/app']);
    expect(counts).toEqual({ pushed: 1 });
    expect(jobs).toMatchObject([{ verdict: 'clean', vulnResult: { coverage: 'full', total: 0 } }]);
    expect(jobs.flatMap(kinds)).not.toContain(NOT_SCANNED);
    expect(whole()).toEqual(rest.sort());
    expect(digestsSeen(shown())).toEqual(base.sort());
    for (const { bytes } of shown()) expect(bytes).toBeLessThan(128 * 1024);
    const uploads = blobTraffic(target.proxy.seen).filter(({ method }) => method === 'PUT');
    expect(digestsSeen(uploads).filter((digest) => base.includes(digest ?? ''))).toEqual([]);
    const arrived = await fetchManifest(target.registry.url, 'known/app', '1');
    expect(Buffer.from(arrived.body).equals(Buffer.from(image.bytes))).toBe(true);
  });

  it('uploads all layers to a target that has none of them, each downloaded once', async () => {
    const { image } = await onKnownBase('afar');
    expect(
      (await transferred(['afar/app'], { to: toLocal(harness.registry.host) })).counts,
    ).toEqual({
      pushed: 1,
    });
    const all = image.blobs.map(({ descriptor }) => descriptor.digest).sort();
    expect(
      source.proxy
        .blobGets()
        .map(({ path }) => digestsSeen([{ path }])[0])
        .sort(),
    ).toEqual(all);
    expect((await fetchManifest(harness.registry.url, 'afar/app', '1')).status).toBe(200);
  });

  it.each<[string, Record<'base' | 'own', TestPackage[]>]>([
    ['in a layer that stayed at its source', { base: FLAWED, own: [] }],
    ['in an own layer', { base: [], own: FLAWED }],
  ])('finds the vulnerability %s', async (where, packages) => {
    const { base } = await onKnownBase(`flawed-${packages.own.length}`, packages);
    const { jobs } = await transferred([`flawed-${packages.own.length}/app`]);
    expect(whole().filter((digest) => base.includes(digest ?? ''))).toEqual([]);
    const found = jobs.flatMap((job) => job.vulnResult?.vulnerabilities ?? []);
    expect([where, found.flatMap((each) => each.packages.map(({ name }) => name))]).toEqual([
      where,
      ['lodash'],
    ]);
  });

  it('downloads everything where the scanner has forgotten a layer', async () => {
    const { image } = await onKnownBase('forgotten');
    await forgetLayers(harness);
    const { counts, jobs } = await transferred(['forgotten/app']);
    expect(counts).toEqual({ pushed: 1 });
    expect(jobs).toMatchObject([{ verdict: 'clean', vulnResult: { coverage: 'full', total: 0 } }]);
    expect(jobs.flatMap(kinds)).toContainEqual('layers_missing');
    expect(whole()).toEqual(image.blobs.map(({ descriptor }) => descriptor.digest).sort());
  });

  it('is not pushed unscanned when a source proves possession of a forgotten layer and then no longer has it', async () => {
    const { base } = await onKnownBase('gone', { base: FLAWED, own: [] });
    await forgetLayers(harness);
    source.proxy.behaviour.answer = ({ method, path, range }) =>
      method === 'GET' && range === null && base.some((digest) => path.includes(digest))
        ? { status: 404 }
        : null;
    try {
      const { counts, jobs } = await transferred(['gone/app']);
      expect(counts).toEqual({ failed: 1 });
      expect(jobs).toMatchObject([
        { status: 'failed', verdict: 'pending', error: { side: 'source' } },
      ]);
      expect(jobs.flatMap(kinds)).toContainEqual('layers_missing');
      expect(jobs.flatMap((job) => job.timeline.map(({ status }) => status))).not.toContain(
        'push_queued',
      );
      expect((await fetchManifest(target.registry.url, 'gone/app', '1')).status).toBe(404);
    } finally {
      source.proxy.behaviour = {};
    }
  });

  it('is downloaded completely from a source without range support, once', async () => {
    const { image } = await onKnownBase('whole');
    source.proxy.behaviour.withoutRanges = true;
    try {
      expect((await transferred(['whole/app'])).counts).toEqual({ pushed: 1 });
    } finally {
      source.proxy.behaviour = {};
    }
    const sizes = image.blobs.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
    const moved = blobTraffic(source.proxy.seen).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(moved).toBeLessThan(2 * sizes);
  });

  it.each<[string, string, Behaviour['answer'], Behaviour['falsify']]>([
    [
      'only has the digest of',
      'named',
      ({ method }) => (method === 'GET' ? { status: 404 } : null),
      undefined,
    ],
    ['has other bytes of', 'other', undefined, () => true],
  ])('reveals nothing to an account that %s one of them', async (_, name, answer, falsify) => {
    const { base } = await onKnownBase(name);
    const isBase = ({ path }: { path: string }) => base.some((digest) => path.includes(digest));
    source.proxy.behaviour = {
      ...(answer && { answer: (seen) => (isBase(seen) ? answer(seen) : null) }),
      ...(falsify && { falsify: (seen) => isBase(seen) }),
    };
    try {
      const { counts, jobs } = await transferred([`${name}/app`]);
      expect(counts).toEqual({ failed: 1 });
      expect(jobs).toMatchObject([
        { verdict: 'pending', vulnResult: null, error: { side: 'source' } },
      ]);
      expect((await fetchManifest(target.registry.url, `${name}/app`, '1')).status).toBe(404);
    } finally {
      source.proxy.behaviour = {};
    }
  });
});
