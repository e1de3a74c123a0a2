import { existsSync } from 'node:fs';
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createLogger, openRedis } from '@portcullis/runtime';
import {
  alpineImage,
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  debianFiles,
  debianImage,
  helmChart,
  npmImage,
  scratchImage,
  serveJavaDb,
  serveVulnerabilityDb,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  type TestRegistry,
  type TestServer,
  temporaryDir,
  testTrivy,
  WIDGET_JAR,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScanner, type Scanner, scannerPaths } from './index.ts';

const OCI_CONFIG = 'application/vnd.oci.image.config.v1+json';
const log = createLogger({ name: 'scanner-test', level: 'silent' });
let registry: TestRegistry;
let redis: TestServer;
let data: TemporaryDir;
let scanner: Scanner;
let repository: string;

beforeAll(async () => {
  const trivy = await testTrivy();
  [registry, redis, data] = await Promise.all([startRegistry(), startRedis(), temporaryDir()]);
  scanner = createScanner({ dataDir: data.path, redisUrl: redis.url, log, trivyPath: () => trivy });
  repository = await serveVulnerabilityDb(registry.url);
  await scanner.updateDatabase({ repositories: [repository] });
});

afterAll(async () => {
  await scanner?.close();
  await Promise.all([registry?.stop(), redis?.stop(), data?.remove()]);
});

/** Another scanner than the one of all tests. */
function opened(options: Parameters<typeof createScanner>[0]) {
  const another = createScanner(options);
  return Object.assign(another, { [Symbol.asyncDispose]: another.close });
}

async function layoutOf(image: TestImage): Promise<string> {
  const dir = join(data.path, 'cache', 'staging', crypto.randomUUID());
  await writeLayout(dir, image);
  return dir;
}

async function scanImage(image: TestImage, more: { reportDir?: string; with?: Scanner } = {}) {
  return (await scanParts(image, more)).report;
}

async function scanParts(image: TestImage, more: { reportDir?: string; with?: Scanner } = {}) {
  const layoutDir = await layoutOf(image);
  return (more.with ?? scanner).scan(layoutDir, {
    targets: [{ digest: image.digest, platform: null }],
    timeoutSeconds: 60,
    reportDir: more.reportDir,
  });
}

function ids(report: { vulnerabilities: { id: string }[] }): string[] {
  return report.vulnerabilities.map((found) => found.id);
}

const FLAWED = {
  packages: [
    { name: 'openssl', version: '3.0.11-1' },
    { name: 'libssl3', version: '3.0.11-1', source: 'openssl' },
    { name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' },
    { name: 'bash', version: '5.2.15-2' },
    { name: 'tar', version: '1.34+dfsg-1.2' },
    { name: 'curl', version: '7.88.1-10' },
    { name: 'tzdata', version: '2024a-0' },
  ],
};
const CLEAN = [{ name: 'tzdata', version: '2024a-0' }];
const LODASH = { 'app/node_modules/lodash/package.json': '{"name":"lodash","version":"4.17.10"}' };

describe('a scan of a whole layout', () => {
  it('finds nothing in a Debian without vulnerabilities, with full coverage', async () => {
    const report = await scanImage(
      await debianImage({ packages: [{ name: 'tzdata', version: '2024a-0' }] }),
    );
    expect(report).toMatchObject({ coverage: 'full', notes: [], vulnerabilities: [] });
    expect(report.os).toEqual({ family: 'debian', name: '12.5', eosl: false });
    expect(report.scanner.name).toBe('trivy');
    expect(report.scanner.dbUpdatedAt).toBe((await scanner.database())?.updatedAt);
  });

  it('groups the findings of Debian and npm by id, with their scores', async () => {
    const report = await scanImage(await debianImage({ ...FLAWED, more: [LODASH] }));
    const table = report.vulnerabilities.map(
      ({ id, severity, cvssScore, cvssSource, packages }) => [
        id,
        severity,
        cvssScore,
        cvssSource,
        packages.map(({ name, fixedVersion, status }) => [name, fixedVersion, status]),
      ],
    );
    expect(table).toEqual([
      [
        'CVE-2099-0001',
        'CRITICAL',
        9.8,
        'nvd',
        [
          ['libssl3', '3.0.13-1', 'fixed'],
          ['openssl', '3.0.13-1', 'fixed'],
        ],
      ],
      ['CVE-2099-0007', 'HIGH', 8.7, 'nvd', [['curl', '7.88.1-11', 'fixed']]],
      ['CVE-2099-0002', 'HIGH', 7.5, 'nvd', [['zlib1g', null, 'affected']]],
      ['CVE-2099-0003', 'HIGH', 7.4, 'ghsa', [['lodash', '4.17.12', 'fixed']]],
      ['CVE-2099-0006', 'LOW', null, null, [['tar', '1.34+dfsg-1.3', 'fixed']]],
      ['CVE-2099-0005', 'UNKNOWN', null, null, [['bash', '5.2.15-3', 'fixed']]],
    ]);
    expect(
      report.targets.map(({ target, counts }) => [target, counts.CRITICAL, counts.HIGH]),
    ).toEqual([
      ['debian 12.5', 1, 2],
      ['Node.js', 0, 1],
    ]);
  });

  it('names the layers of the base image by the history, in a stored scan as well', async () => {
    const image = await buildImage({
      layers: [debianFiles(FLAWED.packages), LODASH],
      history: [
        { created_by: 'ADD rootfs.tar / # buildkit' },
        { created_by: 'CMD ["bash"]', empty_layer: true },
        { created_by: 'COPY app /app # buildkit' },
      ],
    });
    const reportDir = join(data.path, crypto.randomUUID());
    const report = await scanImage(image, { reportDir });
    const layerOf = (id: string) =>
      report.vulnerabilities.find((found) => found.id === id)?.packages[0]?.layerDigest;
    expect(report.baseLayers).toEqual([layerOf('CVE-2099-0001')]);
    expect(report.baseLayers).not.toContain(layerOf('CVE-2099-0003'));
    expect((await scanImage(image, { reportDir })).baseLayers).toEqual(report.baseLayers);
  });

  it('reports a Debian with hidden packages as not covered', async () => {
    const report = await scanImage(await debianImage({ packages: [] }));
    expect(report.coverage).toBe('partial');
    expect(report.notes).toEqual([
      'debian 12.5 was recognised but none of its installed packages were found',
    ]);
  });

  it('reports that an Alpine is past its end of life', async () => {
    const report = await scanImage(await alpineImage({ release: '3.16.9' }));
    expect(report).toMatchObject({ coverage: 'partial', os: { family: 'alpine', eosl: true } });
    expect(report.notes).toEqual([
      'alpine 3.16.9 is past its end of life: its advisories are no longer kept up',
    ]);
  });

  it('finds the vulnerability of a current Alpine', async () => {
    const report = await scanImage(await alpineImage());
    expect(report.coverage).toBe('full');
    expect(ids(report)).toEqual(['CVE-2099-0004']);
  });

  it('has full coverage of packages on scratch', async () => {
    const report = await scanImage(await npmImage());
    expect(report).toMatchObject({ coverage: 'full', os: null });
    expect(ids(report)).toEqual(['CVE-2099-0003']);
  });

  it('does not treat a system without its release file as scratch', async () => {
    const image = await buildImage({ layers: [{ 'bin/busybox': 'x', ...LODASH }] });
    expect(await scanImage(image)).toMatchObject({ coverage: 'partial' });
  });

  it('has no coverage of an empty image', async () => {
    expect(await scanImage(await scratchImage())).toMatchObject({
      coverage: 'none',
      vulnerabilities: [],
    });
  });

  it('has no coverage of a Helm chart', async () => {
    const report = await scanImage(await helmChart());
    expect(report.coverage).toBe('none');
    expect(report.notes).toEqual([
      'this is no container image: application/vnd.cncf.helm.config.v1+json',
    ]);
  });

  it.each(['oci', 'docker'] as const)('scans every platform of an index (%s)', async (flavour) => {
    const images = await Promise.all([
      debianImage({ ...FLAWED, flavour, platform: 'linux/amd64' }),
      alpineImage({ flavour, platform: 'linux/arm64/v8' }),
    ]);
    const report = await scanImage(buildIndex(images, { flavour }));
    expect(report.coverage).toBe('full');
    const platforms = report.vulnerabilities.map(({ id, packages }) => [id, packages[0]?.platform]);
    expect(platforms).toContainEqual(['CVE-2099-0001', 'linux/amd64']);
    expect(platforms).toContainEqual(['CVE-2099-0004', 'linux/arm64/v8']);
    expect(report.targets.map((each) => each.target)).toEqual([
      'linux/amd64: debian 12.5',
      'linux/arm64/v8: alpine 3.22.1',
    ]);
  });

  describe('of an index, reports on each manifest below it', () => {
    it('with the findings of that one alone', async () => {
      const flawed = await debianImage({ ...FLAWED, platform: 'linux/amd64' });
      const clean = await debianImage({ packages: CLEAN, platform: 'linux/arm64' });
      const { parts } = await scanParts(buildIndex([flawed, clean]));
      expect(parts.map(({ digest }) => digest)).toEqual([flawed.digest, clean.digest]);
      const [bad, good] = parts.map(({ report }) => report);
      expect(bad && ids(bad)).toEqual(ids(await scanImage(flawed)));
      expect(good).toMatchObject({ coverage: 'full', notes: [], vulnerabilities: [] });
    });

    it.each([
      [
        'an artifact',
        () => helmChart(),
        { artifactType: 'application/vnd.cncf.helm.config.v1+json' },
      ],
      [
        'an image that cannot be read',
        () =>
          buildArtifact({
            config: { mediaType: OCI_CONFIG, bytes: Buffer.from('{"rootfs":{"diff_ids":[]}}') },
            layers: [{ mediaType: 'application/x-encrypted', bytes: Buffer.from([1]) }],
          }),
        {
          gaps: [
            {
              kind: 'layer_unreadable',
              mediaType: 'application/x-encrypted',
              platform: null,
            },
          ],
        },
      ],
    ])('and never as clean: %s', async (_, build, expected) => {
      const clean = await debianImage({ packages: CLEAN, platform: 'linux/amd64' });
      const other = await build();
      const { parts } = await scanParts(buildIndex([clean, other]));
      const part = parts.find(({ digest }) => digest === other.digest);
      expect(part?.report).toMatchObject({ coverage: 'none', vulnerabilities: [], ...expected });
    });
  });

  it('of a chart states its type, and has no parts', async () => {
    expect(await scanParts(await helmChart())).toMatchObject({
      report: { coverage: 'none', artifactType: 'application/vnd.cncf.helm.config.v1+json' },
      parts: [],
    });
  });

  it('reads zstd and uncompressed layers', async () => {
    for (const compression of ['zstd', 'none'] as const) {
      expect(ids(await scanImage(await debianImage({ ...FLAWED, compression })))).toContain(
        'CVE-2099-0001',
      );
    }
  });

  it('judges Java archives by their index, once the update has downloaded it', async () => {
    await using dir = await temporaryDir();
    const trivy = await testTrivy();
    const javaRepositories = [await serveJavaDb(registry.url)];
    await using fresh = opened({ dataDir: dir.path, log, trivyPath: () => trivy });
    const image = await debianImage({ packages: CLEAN, more: [{ 'app/some.jar': WIDGET_JAR }] });
    await fresh.updateDatabase({ repositories: [repository] });
    expect(await scanImage(image, { with: fresh })).toMatchObject({
      coverage: 'partial',
      vulnerabilities: [],
    });
    expect(await fresh.isJavaIndexDue()).toBe(true);
    expect(await fresh.updateJavaIndex({ javaRepositories })).toMatchObject({
      javaUpdatedAt: expect.any(String),
      source: repository,
    });
    expect(await fresh.isJavaIndexDue()).toBe(false);
    expect(await fresh.updateJavaIndex({ javaRepositories })).toBeNull();
    const report = await scanImage(image, { with: fresh });
    expect(report).toMatchObject({ coverage: 'full', notes: [] });
    expect(report.vulnerabilities).toMatchObject([
      { id: 'CVE-2099-0009', packages: [{ name: 'org.example:widget', fixedVersion: '1.2.1' }] },
    ]);
  });

  it('keeps the index of Java archives with newer advisories, and replaces it once it is due', async () => {
    await using dir = await temporaryDir();
    const trivy = await testTrivy();
    await using fresh = opened({ dataDir: dir.path, log, trivyPath: () => trivy });
    const stale = { UpdatedAt: '2026-01-01T00:00:00Z', NextUpdate: '2026-01-02T00:00:00Z' };
    const java = await serveJavaDb(registry.url, {
      repository: 'system/stale-java',
      metadata: stale,
    });
    await fresh.updateDatabase({ repositories: [repository] });
    await fresh.updateJavaIndex({ javaRepositories: [java] });
    const { database } = await fresh.updateDatabase({ repositories: [repository], force: true });
    expect(database.javaUpdatedAt).toBe(stale.UpdatedAt);
    expect(await fresh.isJavaIndexDue()).toBe(true);
    await serveJavaDb(registry.url, { repository: 'system/stale-java' });
    await fresh.updateJavaIndex({ javaRepositories: [java] });
    expect(await fresh.isJavaIndexDue()).toBe(false);
  });

  it('says why there is no vulnerability database until an update succeeds, and logs each repository once', async () => {
    await using dir = await temporaryDir();
    const trivy = await testTrivy();
    const logged: { level: string; err?: { message: string } }[] = [];
    const write = (line: string) => logged.push(JSON.parse(line));
    await using fresh = opened({
      dataDir: dir.path,
      log: createLogger({ name: 'scanner', destination: { write } }),
      trivyPath: () => trivy,
    });
    const absent = ['absent', 'missing'].map((name) => `${registry.host}/system/${name}:1`);
    const failed = fresh.updateDatabase({ repositories: absent });
    await expect(failed).rejects.toThrow(
      `the vulnerability database was not downloaded from ${absent[0]}: the registry has no such repository or tag`,
    );
    expect(await fresh.state()).toMatchObject({
      available: false,
      message: expect.stringContaining('no such repository or tag'),
      databaseFailure: { code: 'DATABASE_SOURCE_UNKNOWN' },
    });
    expect(logged.map(({ level }) => level)).toEqual(['info', 'info']);
    for (const [at, { err }] of logged.entries()) {
      expect(err?.message).toContain(absent[at]);
      expect(err?.message).toMatch(/404|UNKNOWN/);
      expect(err?.message).not.toContain('INFO');
    }
    await fresh.updateDatabase({ repositories: [repository] });
    expect(await fresh.state()).toMatchObject({ available: true, databaseFailure: null });
    await rm(scannerPaths(dir.path).current);
    expect((await fresh.state()).message).toBe(
      'the vulnerability database has not been downloaded yet',
    );
  });

  it('keeps the old state where no repository has the index of Java archives, and reports why', async () => {
    await using dir = await temporaryDir();
    const trivy = await testTrivy();
    await using fresh = opened({ dataDir: dir.path, log, trivyPath: () => trivy });
    const { database } = await fresh.updateDatabase({ repositories: [repository] });
    const absent = `${registry.host}/system/absent:1`;
    await expect(fresh.updateJavaIndex({ javaRepositories: [absent] })).rejects.toMatchObject({
      code: 'DATABASE_SOURCE_UNKNOWN',
    });
    expect(await fresh.database()).toMatchObject({ id: database.id });
    expect((await fresh.state()).javaDownload).toMatchObject({
      state: 'failed',
      code: 'DATABASE_SOURCE_UNKNOWN',
      message: expect.stringContaining('no such repository or tag'),
    });
  });
});

describe('an image whose configuration claims other layers', () => {
  const flawed = { packages: [{ name: 'openssl', version: '3.0.11-1' }] };
  const harmless = { packages: [{ name: 'tzdata', version: crypto.randomUUID() }] };

  /** The configuration of one image with the layers of another. */
  async function forged(claims: TestImage, has: TestImage['blobs']): Promise<TestImage> {
    const layers = has.map((blob) => blob.descriptor);
    const document = { ...JSON.parse(Buffer.from(claims.bytes).toString()), layers };
    const root = blobOf(claims.descriptor.mediaType, Buffer.from(JSON.stringify(document)));
    return {
      ...root,
      digest: root.descriptor.digest,
      blobs: [...claims.blobs.slice(0, 1), ...has],
      children: [],
    };
  }

  it('is refused, so it cannot make a later image on the same base look clean', async () => {
    const [victim, other] = await Promise.all([debianImage(flawed), debianImage(harmless)]);
    const poison = await forged(victim, other.blobs.slice(1));
    await expect(scanImage(poison)).rejects.toMatchObject({ code: 'SCAN_LAYER_INVALID' });
    expect(ids(await scanImage(victim))).toEqual(['CVE-2099-0001']);
  });

  it('is refused where it hides a layer', async () => {
    const [claims, has] = await Promise.all([
      debianImage(harmless),
      debianImage({ ...harmless, more: [LODASH] }),
    ]);
    await expect(scanImage(await forged(claims, has.blobs.slice(1)))).rejects.toMatchObject({
      code: 'SCAN_LAYER_INVALID',
    });
  });

  it('names the layer by the digest in this image, whichever compression was scanned first', async () => {
    for (const compression of ['gzip', 'zstd'] as const) {
      const image = await debianImage({ ...flawed, compression });
      const report = await scanImage(image);
      const layer = image.blobs[1]?.descriptor.digest;
      expect(report.vulnerabilities[0]?.packages[0]?.layerDigest).toBe(layer);
    }
  });
});

describe('an image of which only the manifests and the configuration are here', () => {
  const unique = () =>
    debianImage({ ...FLAWED, more: [LODASH, { 'only/here': crypto.randomUUID() }] });

  async function scanBare(image: TestImage) {
    const layoutDir = await layoutOf(image);
    for (const { descriptor } of image.blobs.slice(1))
      await rm(join(layoutDir, 'blobs', descriptor.digest.replace(':', '/')), { force: true });
    const targets = [{ digest: image.digest, platform: null }];
    return (await scanner.scan(layoutDir, { targets, timeoutSeconds: 60 })).report;
  }

  it('is scanned as before where every layer was scanned', async () => {
    const image = await unique();
    const whole = await scanImage(image);
    expect(whole.vulnerabilities.length).toBeGreaterThan(3);
    for (const { descriptor } of image.blobs.slice(1))
      await expect.poll(() => scanner.chunkDigestsOfLayer(descriptor.digest)).not.toBeNull();
    expect(await scanBare(image)).toEqual(whole);
  });

  it('is not scanned where a layer is new, or no longer cached', async () => {
    const refused = { code: 'SCAN_LAYOUT_INVALID' };
    await expect(scanBare(await unique())).rejects.toMatchObject(refused);
    const image = await unique();
    await scanImage(image);
    const cache = openRedis(redis.url, { mode: 'patient' });
    await cache.flushall();
    cache.disconnect();
    await expect(scanBare(image)).rejects.toMatchObject(refused);
    // From now on Trivy has cached the base layer, but not the last one.
    await scanImage(await debianImage(FLAWED));
    await expect(scanBare(image)).rejects.toMatchObject(refused);
  });
});

describe('a scan that fails', () => {
  it('is an error for a layer that is no archive', async () => {
    const image = await debianImage({ more: [{ 'only/here': crypto.randomUUID() }] });
    const layer = image.blobs.at(-1);
    const layoutDir = await layoutOf(image);
    const path = join(layoutDir, 'blobs', layer?.descriptor.digest.replace(':', '/') ?? '');
    await writeFile(path, Buffer.from('1f8b0800000000000003deadbeef', 'hex'));
    const scanning = scanner.scan(layoutDir, {
      targets: [{ digest: image.digest, platform: null }],
      timeoutSeconds: 60,
    });
    await expect(scanning).rejects.toMatchObject({ code: 'SCAN_LAYER_INVALID' });
  });

  it('is an error for a layer that is missing', async () => {
    const image = await debianImage({ more: [{ 'only/here': crypto.randomUUID() }] });
    const layoutDir = await layoutOf(image);
    const digest = image.blobs.at(-1)?.descriptor.digest ?? '';
    await rm(join(layoutDir, 'blobs', digest.replace(':', '/')));
    const scanning = scanner.scan(layoutDir, {
      targets: [{ digest: image.digest, platform: null }],
      timeoutSeconds: 60,
    });
    await expect(scanning).rejects.toMatchObject({ code: 'SCAN_LAYOUT_INVALID' });
  });

  it('ends when aborted, however long Trivy would run, and leaves nothing', async () => {
    await using dir = await temporaryDir();
    const [endless, begun] = [join(dir.path, 'trivy'), join(dir.path, 'begun')];
    await writeFile(endless, `#!/bin/sh\n: > '${begun}'\nexec sleep 600\n`, { mode: 0o755 });
    await using slow = opened({ dataDir: data.path, log, trivyPath: () => endless });
    const layoutDir = await layoutOf(await debianImage());
    const reason = new Error('cancelled');
    const controller = new AbortController();
    const image = await debianImage();
    const scanning = slow.scan(layoutDir, {
      targets: [{ digest: image.digest, platform: null }],
      timeoutSeconds: 600,
      signal: controller.signal,
    });
    const ended = expect(scanning).rejects.toBe(reason);
    await expect.poll(() => existsSync(begun)).toBe(true);
    controller.abort(reason);
    await ended;
    expect(await readdir(scannerPaths(data.path).runs)).toEqual([]);
  });

  it('has no database before the first download', async () => {
    await using empty = await temporaryDir();
    const trivy = await testTrivy();
    await using fresh = opened({ dataDir: empty.path, log, trivyPath: () => trivy });
    expect(await fresh.state()).toMatchObject({ available: false, database: null });
    await expect(scanImage(await debianImage(), { with: fresh })).rejects.toMatchObject({
      code: 'SCAN_DATABASE_MISSING',
    });
  });

  it('is unavailable without a scanner', async () => {
    await using without = opened({ dataDir: data.path, log, trivyPath: () => null });
    await expect(scanImage(await debianImage(), { with: without })).rejects.toMatchObject({
      code: 'SCANNER_UNAVAILABLE',
    });
  });

  it('does not need Redis when Redis does not answer', async () => {
    const trivy = await testTrivy();
    const redisUrl = 'redis://127.0.0.1:1/0';
    await using alone = opened({ dataDir: data.path, log, redisUrl, trivyPath: () => trivy });
    expect(ids(await scanImage(await debianImage(), { with: alone }))).toContain('CVE-2099-0001');
  });

  it('does not need Redis when Redis refuses the password', async () => {
    const trivy = await testTrivy();
    const redisUrl = `redis://default:wrong@${redis.host}/0`;
    await using alone = opened({ dataDir: data.path, log, redisUrl, trivyPath: () => trivy });
    expect(ids(await scanImage(await debianImage(), { with: alone }))).toContain('CVE-2099-0001');
  });
});

const NAME = {
  registry: 'registry.example',
  repository: 'team/app',
  tag: '1.0',
  digest: 'sha256:00',
};

describe('the full report', () => {
  it.each([
    ['sarif', /"2\.1\.0"/],
    ['cyclonedx', /CycloneDX/],
    ['spdx', /SPDX-2\.3/],
  ] as const)('is given as %s', async (format, sign) => {
    const reportDir = join(data.path, 'reports', crypto.randomUUID());
    await scanImage(await debianImage(FLAWED), { reportDir });
    const wanted = { format, platform: null };
    const { path } = await scanner.exportReport(reportDir, wanted, NAME);
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(sign);
    expect(text).toContain('openssl');
    await expect(scanner.exportReport(reportDir, wanted, NAME)).resolves.toMatchObject({ path });
  });

  it("is stored without the image's environment", async () => {
    const reportDir = join(data.path, 'reports', crypto.randomUUID());
    await scanImage(await debianImage({ ...FLAWED, config: { Env: ['TOKEN=hunter2'] } }), {
      reportDir,
    });
    const { path } = await scanner.exportReport(
      reportDir,
      { format: 'json', platform: null },
      NAME,
    );
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(text)).toMatchObject({
      Metadata: { ImageConfig: { architecture: 'amd64' } },
      Results: [{ Class: 'os-pkgs' }],
    });
  });

  it('is unknown where no scan stored one', async () => {
    await expect(
      scanner.exportReport(join(data.path, 'none'), { format: 'json', platform: null }, NAME),
    ).rejects.toMatchObject({
      code: 'REPORT_NOT_FOUND',
    });
  });
});

describe('the update of the vulnerability database', () => {
  async function withFresh(use: (fresh: Scanner, dataDir: string) => Promise<void>): Promise<void> {
    await using dir = await temporaryDir();
    const trivy = await testTrivy();
    await using fresh = opened({ dataDir: dir.path, log, trivyPath: () => trivy });
    await use(fresh, dir.path);
  }

  it('reports its source and its age', async () => {
    expect(await scanner.database()).toMatchObject({ source: repository, javaUpdatedAt: null });
    expect((await scanner.database())?.ageSeconds).toBeLessThan(600);
    expect(await scanner.state()).toMatchObject({ available: true, binary: 'ready' });
  });

  it('skips one that is not due', async () => {
    const before = await scanner.database();
    const result = await scanner.updateDatabase({ repositories: [repository] });
    expect(result).toMatchObject({ updated: false, database: { id: before?.id } });
  });

  it('replaces one that is due and removes the old directory', async () => {
    await withFresh(async (fresh, dataDir) => {
      const old = { UpdatedAt: '2026-01-01T00:00:00Z', NextUpdate: '2026-01-02T00:00:00Z' };
      const from = await serveVulnerabilityDb(registry.url, {
        repository: 'system/due',
        metadata: old,
      });
      const first = await fresh.updateDatabase({ repositories: [from] });
      expect(first.database.ageSeconds).toBeGreaterThan(3600);
      await serveVulnerabilityDb(registry.url, { repository: 'system/due' });
      const second = await fresh.updateDatabase({ repositories: [from] });
      expect(second.updated).toBe(true);
      const names = (await readdir(scannerPaths(dataDir).databases)).sort();
      expect(names).toEqual([second.database.id, 'current'].sort());
    });
  });

  it.each([
    ['older', { metadata: { UpdatedAt: '2026-01-01T00:00:00Z' } }, 'older'],
    ['of another schema', { metadata: { Version: 3 } }, 'schema version'],
    ['tiny', { content: Buffer.from('x') }, 'bytes'],
    ['damaged', { content: Buffer.alloc(65_536, 'x') }, 'damaged'],
  ] as const)('refuses one that is %s', async (_, options, reason) => {
    await withFresh(async (fresh) => {
      const due = { UpdatedAt: '2026-02-01T00:00:00Z', NextUpdate: '2026-02-02T00:00:00Z' };
      const name = `system/bad-${crypto.randomUUID()}`;
      const from = await serveVulnerabilityDb(registry.url, { repository: name, metadata: due });
      const { database } = await fresh.updateDatabase({ repositories: [from] });
      await serveVulnerabilityDb(registry.url, { repository: name, ...options });
      const updating = fresh.updateDatabase({ repositories: [from] });
      await expect(updating).rejects.toMatchObject({ code: expect.stringMatching(/DATABASE_/) });
      await expect(updating).rejects.toThrow(reason);
      expect((await fresh.database())?.id).toBe(database.id);
    });
  });

  it('runs once at a time', async () => {
    await withFresh(async (fresh) => {
      const results = await Promise.allSettled(
        [1, 2].map(() => fresh.updateDatabase({ repositories: [repository] })),
      );
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      const failure = results.find((result) => result.status === 'rejected');
      expect(failure?.reason).toMatchObject({ code: 'DATABASE_UPDATE_RUNNING' });
    });
  });

  it('uses the next repository when the first has none', async () => {
    await withFresh(async (fresh) => {
      const absent = `${registry.host}/system/absent:2`;
      const { database } = await fresh.updateDatabase({ repositories: [absent, repository] });
      expect(database.source).toBe(repository);
      await expect(fresh.updateDatabase({ repositories: [absent], force: true })).rejects.toThrow(
        /no such repository or tag/,
      );
    });
  });

  it('sends credentials only to their repository', async () => {
    await using closed = await startRegistry({ auth: 'basic' });
    const { credentials } = closed;
    const from = await serveVulnerabilityDb(closed.url, { ...(credentials && { credentials }) });
    await withFresh(async (fresh) => {
      await expect(fresh.updateDatabase({ repositories: [from] })).rejects.toThrow(
        /refused the credentials/,
      );
      const asked: string[] = [];
      const loginOf = (each: string) => {
        asked.push(each);
        return each === from ? credentials : undefined;
      };
      const absent = `${registry.host}/system/absent:2`;
      const { database } = await fresh.updateDatabase({
        repositories: [absent, from],
        credentials: loginOf,
      });
      expect(database.source).toBe(from);
      expect(asked).toEqual([absent, from]);
    });
  });

  it('trusts the authorities that this process trusts, beside those of the machine', async () => {
    await using own = await startRegistry({ tls: true, storageDir: registry.storageDir });
    const from = repository.replace(registry.host, own.host);
    await withFresh(async (fresh) => {
      await expect(fresh.updateDatabase({ repositories: [from] })).rejects.toThrow(/certificate/);
      const before = getCACertificates('default');
      setDefaultCACertificates([...before, own.ca ?? '']);
      try {
        expect((await fresh.updateDatabase({ repositories: [from] })).database.source).toBe(from);
      } finally {
        setDefaultCACertificates(before);
      }
    });
  });

  it('never removes a database that a scan uses', async () => {
    await withFresh(async (fresh, dataDir) => {
      const first = await fresh.updateDatabase({ repositories: [repository] });
      const layoutDir = await layoutOf(await debianImage());
      const targets = [{ digest: (await debianImage()).digest, platform: null }];
      const scanning = fresh.scan(layoutDir, { targets, timeoutSeconds: 60 });
      const updating = fresh.updateDatabase({ repositories: [repository], force: true });
      expect(ids((await scanning).report)).toContain('CVE-2099-0001');
      const { database } = await updating;
      expect(database.id).not.toBe(first.database.id);
      await access(join(scannerPaths(dataDir).databases, database.id));
    });
  });
});
