/** Attacks with hostile images: what Trivy reads and caches must be what we verified. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Digest } from '@portcullis/oci';
import { createLogger, openRedis, type Redis } from '@portcullis/runtime';
import {
  blobOf,
  buildArtifact,
  buildIndex,
  debianFiles,
  debianImage,
  type Files,
  serveVulnerabilityDb,
  sha256,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  type TestRegistry,
  type TestServer,
  tar,
  temporaryDir,
  testTrivy,
  writeLayout,
} from '@portcullis/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createScanner, type Scanner, scannerPaths } from './index.ts';
import {
  estargzLayer,
  type LazyLayer,
  tableOf,
  zstdChunkedLayer,
} from './layers/toc/toc.fixture.ts';

const OCI_CONFIG = 'application/vnd.oci.image.config.v1+json';
const OCI_LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const BAD = [{ name: 'openssl', version: '3.0.11-1' }];
const GOOD = [{ name: 'tzdata', version: '2024a-0' }];

const log = createLogger({ name: 'truth-test', level: 'silent' });
let registry: TestRegistry;
let server: TestServer;
let redis: Redis;
let data: TemporaryDir;
let scanner: Scanner;
let trivy: string;

beforeAll(async () => {
  trivy = await testTrivy();
  [registry, server, data] = await Promise.all([startRegistry(), startRedis(), temporaryDir()]);
  redis = openRedis(server.url, { mode: 'patient' });
  scanner = createScanner({
    dataDir: data.path,
    redisUrl: server.url,
    log,
    trivyPath: () => trivy,
  });
  await scanner.updateDatabase({ repositories: [await serveVulnerabilityDb(registry.url)] });
});

afterAll(async () => {
  redis?.disconnect();
  await scanner?.close();
  await Promise.all([registry?.stop(), server?.stop(), data?.remove()]);
});

beforeEach(async () => void (await redis.flushall()));

async function layoutOf(image: TestImage): Promise<string> {
  const dir = join(data.path, 'cache', 'staging', crypto.randomUUID());
  await writeLayout(dir, image);
  return dir;
}

async function scan(image: TestImage) {
  const targets = [{ digest: image.digest, platform: null }];
  return (await scanner.scan(await layoutOf(image), { targets, timeoutSeconds: 120 })).report;
}

async function found(image: TestImage): Promise<string[]> {
  return (await scan(image)).vulnerabilities.map(({ id }) => id);
}

/** An image with hand-written documents and genuine layers. */
async function forged(
  layers: Files[],
  configOf: (diffIds: string[]) => string,
  types: { config?: string; layer?: string } = {},
): Promise<TestImage> {
  const archives = await Promise.all(layers.map((files) => tar(files)));
  return buildArtifact({
    config: {
      mediaType: types.config ?? OCI_CONFIG,
      bytes: Buffer.from(configOf(archives.map(sha256))),
    },
    layers: archives.map((bytes) => ({
      mediaType: types.layer ?? OCI_LAYER,
      bytes: gzipSync(bytes),
    })),
  });
}

/** Layers whose analysis is cached, by the `diff_id` of the cache entry. */
async function cachedDiffIds(): Promise<string[]> {
  const keys = await redis.keys('fanal::blob::*');
  const values = keys.length === 0 ? [] : await redis.mget(keys);
  return values.map((value) => String(JSON.parse(value ?? '{}').DiffID));
}

const config = (diffIds: unknown, more = '') =>
  `{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":${JSON.stringify(diffIds)}}${more}}`;

describe('S1: the analysis of a layer is cached under the diff_id of another, so that scans of the other find nothing', () => {
  const harmless = debianFiles(GOOD);
  const twins: [string, (own: string[], theirs: string[]) => string][] = [
    [
      'DIFF_IDS beside diff_ids',
      (own, theirs) =>
        `{"rootfs":{"type":"layers","diff_ids":${JSON.stringify(own)},"DIFF_IDS":${JSON.stringify(theirs)}}}`,
    ],
    [
      'rootf\u017F beside rootfs',
      (own, theirs) => config(own, `,"rootf\u017F":{"diff_ids":["${theirs}"]}`),
    ],
    [
      'rootfs twice',
      (own, theirs) => config(theirs, `,${config(own).slice(1)}`).replace('}}}', '}}'),
    ],
    ['ROOTFS alone', (_, theirs) => config(theirs).replace('rootfs', 'ROOTFS')],
  ];

  it.each(twins)('with %s in its configuration an image is refused', async (_, write) => {
    const victim = await debianImage({ packages: BAD });
    const theirs = [sha256(await tar(debianFiles(BAD)))];
    const poison = await forged([harmless], (own) => write(own, theirs));
    await expect(scan(poison)).rejects.toMatchObject({ code: 'SCAN_CONFIG_INVALID' });
    expect(await cachedDiffIds()).toEqual([]);
    expect(await found(victim)).toEqual(['CVE-2099-0001']);
  });

  it('what an older version of this product cached from such an image is not used', async () => {
    const theirs = sha256(await tar(debianFiles(BAD)));
    const poison = await forged([harmless], (own) =>
      config(own)
        .replace('"diff_ids"', `"DIFF_IDS":["${theirs}"],"diff_ids"`)
        .replace('"diff_ids"', '"x"'),
    );
    await scanAsBefore(poison);
    expect(await cachedDiffIds()).toEqual([theirs]);
    expect(await found(await debianImage({ packages: BAD }))).toEqual(['CVE-2099-0001']);
  });

  it('whatever a configuration claims, only the diff_ids of its own layers are cached', async () => {
    const bad = await tar(debianFiles(BAD));
    const victim = sha256(bad);
    const layer = fc.constantFrom<Files>(harmless, { 'app/one': '1' }, { 'app/two': '2' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(layer, { minLength: 1, maxLength: 3 }),
        hostileConfig(victim),
        async (own, write) => {
          await redis.flushall();
          const image = await forged(own, write);
          const scanned = await scan(image).then(
            () => true,
            () => false,
          );
          const mine = new Set(
            await Promise.all(own.map(async (files) => sha256(await tar(files)))),
          );
          const cached = await cachedDiffIds();
          expect(cached.filter((diffId) => !mine.has(diffId as never))).toEqual([]);
          if (scanned) expect(new Set(cached)).toEqual(mine);
        },
      ),
      { numRuns: 40 },
    );
    expect(await found(await debianImage({ packages: BAD }))).toEqual(['CVE-2099-0001']);
  });

  /** How version 0.1 of this product called Trivy: with the image's own documents. */
  async function scanAsBefore(image: TestImage): Promise<void> {
    const dir = join(data.path, 'older');
    await mkdir(dir, { recursive: true });
    const input = `${await layoutOf(image)}@${image.digest}`;
    const args = [
      'image',
      '--input',
      input,
      '--format',
      'json',
      '--scanners',
      'vuln',
      '--pkg-types',
      'os,library',
    ];
    const offline = [
      '--list-all-pkgs',
      '--skip-db-update',
      '--skip-java-db-update',
      '--offline-scan',
    ];
    const cache = [
      '--cache-dir',
      scannerPaths(data.path).current,
      '--cache-ttl',
      '168h',
      '--quiet',
    ];
    const env = { PATH: '/usr/bin:/bin', HOME: dir, TMPDIR: dir, TRIVY_CACHE_BACKEND: server.url };
    await promisify(execFile)(trivy, [...args, ...offline, ...cache], { env, cwd: dir });
  }
});

describe('F14: a layer is named by SHA-512, which the scanner cannot read', () => {
  it('and is still scanned', async () => {
    const image = await forged([debianFiles(BAD)], config);
    const [ownConfig, layer] = image.blobs;
    if (!ownConfig || !layer) throw new Error('an image has blobs');
    const digest: Digest = `sha512:${createHash('sha512').update(layer.bytes).digest('hex')}`;
    const named = { ...layer, descriptor: { ...layer.descriptor, digest } };
    const { mediaType } = image.descriptor;
    const document = {
      schemaVersion: 2,
      mediaType,
      config: ownConfig.descriptor,
      layers: [named.descriptor],
    };
    const root = blobOf(mediaType, Buffer.from(JSON.stringify(document)));
    const whole = {
      ...root,
      digest: root.descriptor.digest,
      blobs: [ownConfig, named],
      children: [],
    };
    const { vulnerabilities } = await scan(whole);
    expect(vulnerabilities.map(({ id }) => id)).toEqual(['CVE-2099-0001']);
    expect(vulnerabilities[0]?.packages[0]?.layerDigest).toBe(digest);
  });
});

describe('S2: a runnable image hides behind media types, beside an image that is clean', () => {
  const attestation = {
    mediaType: 'application/vnd.in-toto+json',
    bytes: Buffer.from('{"_type":"x"}'),
  };

  async function beside(child: TestImage) {
    const clean = await debianImage({ packages: GOOD, platform: 'linux/arm64' });
    return scan(buildIndex([child, clean]));
  }

  it.each([
    ['its layer says it is an in-toto statement', { layer: 'application/vnd.in-toto+json' }],
    [
      'its layer says it is a cosign signature',
      { layer: 'application/vnd.dev.cosign.simplesigning.v1+json' },
    ],
    ['its layer says it is a DSSE envelope', { layer: 'application/vnd.dsse.envelope.v1+json' }],
  ])('%s: it is never clean', async (_, types) => {
    const report = await beside(await forged([debianFiles(BAD)], config, types));
    expect(report.coverage).toBe('partial');
    expect(report.notes).toHaveLength(1);
  });

  it('its configuration is of an unknown type: it is scanned, and its findings are found', async () => {
    const types = { config: 'application/vnd.example.config.v1+json' };
    const report = await beside(await forged([debianFiles(BAD)], config, types));
    expect(report.coverage).toBe('full');
    expect(report.vulnerabilities.length).toBeGreaterThan(0);
  });

  it.each([
    ['an artifact with an archive', gzipSync(Buffer.alloc(1024))],
    ['a WebAssembly module', Buffer.from('0061736d01000000', 'hex')],
  ])('%s: it is never clean', async (_, bytes) => {
    const artifact = buildArtifact({ artifactType: 'a/b', layers: [{ mediaType: 'c/d', bytes }] });
    expect(await beside(artifact)).toMatchObject({
      coverage: 'partial',
      notes: ['an artifact of the type a/b holds files that were not scanned'],
    });
  });

  it('a real attestation beside it changes nothing', async () => {
    const diffId = sha256(attestation.bytes);
    const child = {
      config: { mediaType: OCI_CONFIG, bytes: Buffer.from(config([diffId])) },
      layers: [attestation],
    };
    expect(await beside(buildArtifact(child))).toMatchObject({ coverage: 'full', notes: [] });
  });
});

describe('a layer has a table of contents, from which an engine with lazy pulling creates its files', () => {
  type Edit = NonNullable<Parameters<typeof zstdChunkedLayer>[1]>;
  /** Changes the table and not the archive, which is all that Trivy reads. */
  const hidesProgram: Edit = (entries) => [
    ...entries,
    { type: 'reg', name: 'usr/bin/miner', size: 1, digest: `sha256:${'0'.repeat(64)}` },
  ];
  const agrees: Edit = (entries) => entries;

  /** An image of one layer whose descriptor has these annotations. */
  function lazyImage({ bytes, mediaType, annotations, diffId }: LazyLayer): TestImage {
    const ownConfig = blobOf(OCI_CONFIG, Buffer.from(config([diffId])));
    const layer = blobOf(mediaType, bytes);
    const type = 'application/vnd.oci.image.manifest.v1+json';
    const layers = [{ ...layer.descriptor, annotations }];
    const document = { schemaVersion: 2, mediaType: type, config: ownConfig.descriptor, layers };
    const root = blobOf(type, Buffer.from(JSON.stringify(document)));
    return { ...root, digest: root.descriptor.digest, blobs: [ownConfig, layer], children: [] };
  }

  it.each([
    ['zstd:chunked', zstdChunkedLayer],
    ['eStargz', estargzLayer],
  ] as const)(
    'of %s: it is clean where the table agrees, and never where it does not',
    async (_, layerOf) => {
      const good = await scan(lazyImage(await layerOf(debianFiles(GOOD), agrees)));
      expect(good).toMatchObject({ coverage: 'full', notes: [], vulnerabilities: [] });
      const bad = await scan(lazyImage(await layerOf(debianFiles(BAD), agrees)));
      expect(bad).toMatchObject({ coverage: 'full', vulnerabilities: [{ id: 'CVE-2099-0001' }] });
      const hostile = await layerOf(debianFiles(GOOD), hidesProgram);
      const { descriptor } = blobOf(hostile.mediaType, hostile.bytes);
      const gap = {
        kind: 'table_unverified',
        platform: null,
        count: 1,
        layers: [descriptor.digest],
      };
      const notes = [expect.stringContaining(descriptor.digest)];
      expect(await scan(lazyImage(hostile))).toMatchObject({
        coverage: 'partial',
        gaps: [gap],
        notes,
      });
      // The table is in the blob, whatever the descriptor's annotations are.
      expect(await scan(lazyImage({ ...hostile, annotations: {} }))).toMatchObject({
        coverage: 'partial',
      });
    },
  );

  it('an annotation that points to another table is found, also where the layer is known without it', async () => {
    const packed = zstdCompressSync(await tableOf(debianFiles(GOOD), hidesProgram));
    const layer = await zstdChunkedLayer(debianFiles(GOOD), agrees, packed);
    expect(await scan(lazyImage(layer))).toMatchObject({ coverage: 'full' });
    const [checksum, position] = Object.keys(layer.annotations);
    const at = `${layer.hiddenAt}:${packed.length}:1000:1`;
    const annotations = { [checksum ?? '']: sha256(packed), [position ?? '']: at };
    expect(await scan(lazyImage({ ...layer, annotations }))).toMatchObject({ coverage: 'partial' });
    expect(await scan(lazyImage(layer))).toMatchObject({ coverage: 'full' });
  });

  it.each([
    ['nydus', { 'containerd.io/snapshot/nydus-bootstrap': 'true' }],
    ['overlaybd', { 'containerd.io/snapshot/overlaybd/blob-digest': `sha256:${'0'.repeat(64)}` }],
  ])('of %s, which is not compared: it is never clean', async (_, annotations) => {
    const layer = await zstdChunkedLayer(debianFiles(GOOD), agrees);
    expect(await scan(lazyImage({ ...layer, annotations }))).toMatchObject({ coverage: 'partial' });
  });

  it.each([
    'application/vnd.amazon.soci.index.v1+json',
    'application/vnd.amazon.soci.index.v2+json',
  ])('of SOCI, in an index beside the image as %s: it is never clean', async (mediaType) => {
    const bytes = Buffer.from('{}');
    const table = { mediaType: 'application/octet-stream', bytes: Buffer.from('ztoc') };
    const index = buildArtifact({ config: { mediaType, bytes }, layers: [table] });
    const clean = await debianImage({ packages: GOOD });
    expect(await scan(buildIndex([clean, index]))).toMatchObject({ coverage: 'partial' });
  });

  it('of SOCI, which the image names: it is never clean', async () => {
    const image = await debianImage({ packages: GOOD });
    const document = JSON.parse(Buffer.from(image.bytes).toString());
    const annotations = { 'com.amazon.soci.index-digest': `sha256:${'0'.repeat(64)}` };
    const root = blobOf(
      document.mediaType,
      Buffer.from(JSON.stringify({ ...document, annotations })),
    );
    const named = { ...image, ...root, digest: root.descriptor.digest };
    const gaps = [{ kind: 'foreign_index', platform: null }];
    expect(await scan(named)).toMatchObject({ coverage: 'partial', gaps });
  });
});

describe('S12: a small layer unpacks to a gigabyte', () => {
  const ZEROS = Buffer.alloc(64 * 1024 * 1024);
  const MEMBER = gzipSync(ZEROS);

  /** Layers with the given numbers of gzip members, each of which unpacks to 64 MiB of zeros. */
  function bomb(members: number[]): TestImage {
    const diffIds = members.map((count) => {
      const hash = createHash('sha256');
      for (let written = 0; written < count; written += 1) hash.update(ZEROS);
      return `sha256:${hash.digest('hex')}`;
    });
    return buildArtifact({
      config: { mediaType: OCI_CONFIG, bytes: Buffer.from(config(diffIds)) },
      layers: members.map((count) => ({
        mediaType: OCI_LAYER,
        bytes: Buffer.concat(Array.from({ length: count }, () => MEMBER)),
      })),
    });
  }

  it.each([
    ['in one layer', [16]],
    ['in several layers, each of which is within the bound', [3, 4, 5]],
  ])('%s: it is refused before the scanner is started', async (_, members) => {
    await expect(scan(bomb(members))).rejects.toMatchObject({
      code: 'SCAN_TOO_LARGE',
      message: 'the image unpacks to more than 200 times its size',
    });
    expect(await cachedDiffIds()).toEqual([]);
  });
});

/**
 * Writes configurations that are valid to `JSON.parse`, or nearly, and name the victim's layer to
 * other readers: duplicate members in any spelling, before and after the real member, at several
 * depths; lists in another order, too long, too short.
 */
function hostileConfig(victim: string): fc.Arbitrary<(own: string[]) => string> {
  const rootfs = fc.constantFrom('rootfs', 'Rootfs', 'ROOTFS', 'rootf\u017F', 'rootf\\u0073', 'x');
  const diffIds = fc.constantFrom(
    'diff_ids',
    'DIFF_IDS',
    'diff_id\u017F',
    'Diff_Ids',
    'diff_id\\u0073',
    'x',
  );
  const claim = fc.constantFrom<(own: string[]) => string[]>(
    (own) => own.map(() => victim),
    (own) => [...own, victim],
    (own) => [victim, ...own.slice(1)],
    (own) => [...own].reverse(),
    (own) => own.slice(1),
    (own) => own.flatMap((each) => [each, each]),
    (own) => own,
  );
  const twin = fc.record({ name: diffIds, claim, isFirst: fc.boolean() });
  const outer = fc.record({ name: rootfs, inner: twin, isFirst: fc.boolean() });
  const shape = {
    twins: fc.array(twin, { maxLength: 2 }),
    outers: fc.array(outer, { maxLength: 2 }),
  };
  return fc.record(shape).map(({ twins, outers }) => (own) => {
    const list = (each: { name: string; claim: (own: string[]) => string[] }) =>
      `"${each.name}":${JSON.stringify(each.claim(own))}`;
    const inner = around(twins, `"diff_ids":${JSON.stringify(own)}`, list);
    const object = ({ name, inner: each }: (typeof outers)[number]) =>
      `"${name}":{"type":"layers",${list(each)}}`;
    const members = around(outers, `"rootfs":{"type":"layers",${inner.join()}}`, object);
    return `{${['"architecture":"amd64"', '"os":"linux"', ...members].join()}}`;
  });
}

function around<T extends { isFirst: boolean }>(
  twins: T[],
  truth: string,
  write: (twin: T) => string,
): string[] {
  const written = (isFirst: boolean) => twins.filter((each) => each.isFirst === isFirst).map(write);
  return [...written(true), truth, ...written(false)];
}
