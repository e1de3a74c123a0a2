/**
 * What a repeated transfer saves where a scanner has forgotten, a database is new, or a source
 * proves possession.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { scannerPaths } from '@portcullis/scanner';
import {
  buildIndex,
  debianImage,
  fetchManifest,
  npmFiles,
  pushImage,
  randomFiles,
  type TestImage,
  type TestPackage,
} from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { toLocal } from './batch.ts';
import { blobTraffic } from './proxy.ts';
import { forgetLayers, rememberedLayers } from './scanner-memory.ts';
import {
  CLEAN,
  digestsSeen,
  harness,
  kinds,
  NOT_SCANNED,
  newDatabase,
  pushClean,
  source,
  startCounting,
  target,
  transferred,
} from './transfers-scanned.fixture.ts';

startCounting();

const FLAWED = [{ name: 'lodash', version: '4.17.10' }];

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
});
