/** Downloads of transfers with scanning, counted at both ends, where reports are known. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { scannerPaths } from '@portcullis/scanner';
import {
  buildArtifact,
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
import { type Behaviour, blobTraffic } from './proxy.ts';
import {
  CLEAN,
  digestsSeen,
  harness,
  kinds,
  NOT_SCANNED,
  pushClean,
  source,
  startCounting,
  target,
  transferred,
} from './transfers-scanned.fixture.ts';

startCounting();

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
