/** Reports of a re-match against those of a scan, with the real Trivy, Redis and PostgreSQL. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createLogger, openRedis, type Redis, sealer } from '@portcullis/runtime';
import { createScanner, type Scanner } from '@portcullis/scanner';
import { openStore, type Store } from '@portcullis/store';
import {
  alpineFiles,
  alpineImage,
  buildImage,
  buildIndex,
  createDatabase,
  debianFiles,
  debianImage,
  helmChart,
  listeningOf,
  mavenJar,
  npmFiles,
  npmImage,
  openSql,
  serveVulnerabilityDb,
  startRedis,
  startRegistry,
  type TestImage,
  temporaryDir,
  testTrivy,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const log = createLogger({ name: 'rematch-test', level: 'silent' });
const parts = new AsyncDisposableStack();
let redis: Redis;
let store: Store;
let scanner: Scanner;
let dataDir: string;
let registryUrl: string;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  const trivy = await testTrivy();
  const [registry, server, database, data] = await Promise.all([
    startRegistry(),
    startRedis(),
    createDatabase(),
    temporaryDir(),
  ]);
  for (const part of [data, database, server, registry]) parts.use(part);
  dataDir = data.path;
  registryUrl = registry.url;
  redis = openRedis(server.url, { mode: 'fail-fast' });
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  scanner = createScanner({
    dataDir,
    redisUrl: server.url,
    analyses: store.analyses,
    log,
    trivyPath: () => trivy,
  });
  parts.defer(async () => {
    await scanner.close();
    await sql.end();
    await store.close();
    redis.disconnect();
  });
  await scanner.updateDatabase({
    repositories: [
      await serveVulnerabilityDb(registryUrl, {
        isEarlier: true,
        metadata: { NextUpdate: new Date(0).toISOString() },
      }),
    ],
  });
});
afterAll(() => parts.disposeAsync());

async function scan(image: TestImage) {
  return (await scanParts(image)).report;
}

async function scanParts(image: TestImage) {
  const dir = path.join(dataDir, 'layouts', crypto.randomUUID());
  await writeLayout(dir, image);
  const targets = [{ digest: image.digest, platform: null }];
  return scanner.scan(dir, { targets, timeoutSeconds: 120 });
}

const FLAWED = [
  { name: 'openssl', version: '3.0.11-1' },
  { name: 'libssl3', version: '3.0.11-1', source: 'openssl' },
  { name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' },
  { name: 'bash', version: '5.2.15-2' },
  { name: 'curl', version: '7.88.1-10' },
  { name: 'shared', version: '1' },
  { name: 'shared2', version: '1' },
  { name: 'sudo', version: '1.9.13p3-1' },
];
const LODASH = npmFiles([{ name: 'lodash', version: '4.17.10' }]);
const PYTHON = {
  'usr/lib/python3/dist-packages/requests-2.0.dist-info/METADATA':
    'Metadata-Version: 2.1\nName: requests\nVersion: 2.0\n',
};
const GEM = {
  'usr/lib/ruby/gems/specifications/rack-2.0.gemspec':
    'Gem::Specification.new do |s|\n  s.name = "rack"\n  s.version = "2.0"\nend\n',
};
const UBUNTU = {
  ...debianFiles(FLAWED),
  'etc/debian_version': 'bookworm/sid\n',
  'etc/os-release': 'ID=ubuntu\nVERSION_ID="22.04"\n',
  'etc/lsb-release': 'DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=22.04\n',
};
const WOLFI = {
  ...alpineFiles([{ name: 'musl', version: '1.2.5-r10' }]),
  'etc/os-release': 'ID=wolfi\nVERSION_ID=20230201\n',
};
const OTHER_MAKER = {
  'etc/debian_version': '12.5\n',
  'etc/os-release': 'ID=debian\nVERSION_ID="12"\n',
  'var/lib/dpkg/status':
    'Package: docker-ce\nStatus: install ok installed\nMaintainer: Docker <support@docker.com>\nArchitecture: amd64\nVersion: 5:24.0-1\n\nPackage: openssl\nStatus: install ok installed\nMaintainer: Debian <d@debian.org>\nArchitecture: amd64\nVersion: 3.0.11-1\n',
};

const IMAGES: [string, () => Promise<TestImage>][] = [
  ['Debian and npm in two layers', () => debianImage({ packages: FLAWED, more: [LODASH] })],
  [
    'the same file removed by a later layer',
    () =>
      debianImage({
        packages: FLAWED,
        more: [LODASH, { 'app/node_modules/lodash/.wh.package.json': '' }],
      }),
  ],
  ['Alpine', () => alpineImage({ more: [PYTHON, GEM] })],
  [
    'Alpine edge by its repositories',
    () =>
      alpineImage({
        more: [{ 'etc/apk/repositories': 'https://dl-cdn.alpinelinux.org/alpine/edge/main\n' }],
      }),
  ],
  [
    'Alpine past its end of life',
    () =>
      alpineImage({
        release: '3.16.9',
        packages: [{ name: 'apk-tools', version: '2.12.9-r3' }],
      }),
  ],
  ['Ubuntu', () => buildImage({ layers: [UBUNTU] })],
  ['Wolfi', () => buildImage({ layers: [WOLFI, LODASH] })],
  ['Debian of an unknown release', () => debianImage({ packages: FLAWED, release: '99.1' })],
  ['npm without an operating system', () => npmImage()],
  [
    'Java archives without the index',
    () =>
      buildImage({
        layers: [{ 'app/a.jar': mavenJar('org.example', 'widget', '1.2.0') }, debianFiles(FLAWED)],
      }),
  ],
  ['a package of another maker', () => buildImage({ layers: [OTHER_MAKER, LODASH] })],
  [
    'two platforms, and a chart',
    async () =>
      buildIndex([
        await debianImage({ packages: FLAWED }),
        await alpineImage({ platform: 'linux/arm64' }),
        await helmChart(),
      ]),
  ],
];

async function rematch(image: TestImage) {
  await using matcher = await scanner.startMatcher();
  return (await matcher.match(image.digest))?.report ?? null;
}

async function keysInRedis(): Promise<string[]> {
  return (await redis.keys('fanal::*')).sort();
}

async function analysedKeys(digest: string): Promise<string[]> {
  return (await store.analyses.find([digest])).flatMap(({ keys }) => keys).toSorted();
}

describe('a re-match', () => {
  it.each(IMAGES)('of %s makes the report that a scan makes', async (_, make) => {
    const image = await make();
    const scanned = await scan(image);
    expect(await rematch(image)).toEqual(scanned);
  });

  it('of an index makes the reports of its images that a scan makes', async () => {
    const images = [
      await debianImage({ packages: FLAWED, platform: 'linux/amd64' }),
      await alpineImage({ platform: 'linux/arm64' }),
    ];
    const index = buildIndex([...images, await helmChart()]);
    const { parts } = await scanParts(index);
    await using matcher = await scanner.startMatcher();
    expect((await matcher.match(index.digest))?.parts).toEqual(parts.slice(0, images.length));
  });

  it('finds what the scan found, and not only no packages', async () => {
    const image = await debianImage({ packages: FLAWED, more: [LODASH] });
    await scan(image);
    const found = (await rematch(image))?.vulnerabilities.map(({ id }) => id) ?? [];
    expect(found).toContain('CVE-2099-0001');
    expect(found).toContain('CVE-2099-0003');
  });

  it('needs no layer after Redis was flushed: the analyses are put back', async () => {
    const image = await debianImage({ packages: FLAWED, more: [LODASH, PYTHON] });
    const scanned = await scan(image);
    await redis.flushall();
    expect(await rematch(image)).toEqual(scanned);
    expect(await keysInRedis()).toEqual(await analysedKeys(image.digest));
    // They are only passing: the durable copy remains.
    for (const key of await keysInRedis()) expect(await redis.ttl(key)).toBeLessThanOrEqual(900);
  });

  it('of an image without analyses is left to a scan', async () => {
    const image = await debianImage({ packages: [{ name: 'tar', version: '1' }] });
    expect(await rematch(image)).toBeNull();
    await scan(image);
    expect(await rematch(image)).not.toBeNull();
    await redis.flushall();
    await sql.query('DELETE FROM scan_analyses WHERE key = ANY ($1)', [
      (await analysedKeys(image.digest)).slice(1),
    ]);
    expect(await rematch(image)).toBeNull();
  });

  it('finds a server that was killed ended, and the next one answers', async () => {
    const image = await alpineImage();
    const scanned = await scan(image);
    await using matcher = await scanner.startMatcher();
    process.kill(matcher.pid, 'SIGKILL');
    await expect(matcher.match(image.digest)).rejects.toMatchObject({ code: 'REMATCH_FAILED' });
    await expect.poll(() => matcher.hasEnded()).toBe(true);
    expect(await rematch(image)).toEqual(scanned);
  });
});

describe('the server of re-matches', () => {
  it('ends with its matcher', async () => {
    const matcher = await scanner.startMatcher();
    await matcher[Symbol.asyncDispose]();
    expect(() => process.kill(matcher.pid, 0)).toThrow('ESRCH');
  });

  it('answers on loopback, and only to whom has its token', async () => {
    await using matcher = await scanner.startMatcher();
    const [address, ...others] = await listeningOf(matcher.pid);
    expect(address).toMatch(/^127\.0\.0\.1:/);
    expect(others).toEqual([]);
    const answer = await fetch(`http://${address}/twirp/trivy.scanner.v1.Scanner/Scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });

  it('has neither its token nor a password in its arguments', async () => {
    await using matcher = await scanner.startMatcher();
    const args = await readFile(`/proc/${matcher.pid}/cmdline`, 'utf8');
    expect(args).toContain('server');
    expect(args).not.toMatch(/redis:|token/);
  });
});

describe('the analyses of a scan', () => {
  it('are put back before the next scan, so that a flushed Redis costs no analysis', async () => {
    const first = await debianImage({ packages: FLAWED });
    await scan(first);
    const blob = (await analysedKeys(first.digest)).find((key) => key.includes('blob')) ?? '';
    await redis.flushall();
    await scan(await debianImage({ packages: FLAWED, more: [GEM] }));
    expect(await keysInRedis()).toContain(blob);
    // It was put back, not made again: what Trivy writes lives for a week.
    expect(await redis.ttl(blob)).toBeLessThanOrEqual(900);
  });

  it('are not stored where Redis has those of another layer under its key', async () => {
    const image = await debianImage({ packages: [{ name: 'bash', version: '5.2.15-2' }] });
    await scan(image);
    const keys = await analysedKeys(image.digest);
    const blob = keys.find((key) => key.includes('blob')) ?? '';
    const analysis = JSON.parse((await redis.get(blob)) ?? '');
    await sql.query('DELETE FROM image_analyses WHERE digest = $1', [image.digest]);
    await sql.query('DELETE FROM scan_analyses WHERE key = ANY ($1)', [keys]);
    const other = `sha256:${'0'.repeat(64)}`;
    await redis.set(blob, JSON.stringify({ ...analysis, DiffID: other, PackageInfos: [] }));
    await scan(image);
    expect(await store.analyses.find([image.digest])).toEqual([]);
    expect(await store.analyses.missing(keys)).toEqual(keys);
  });

  it('are shared by images with a common layer, and removed with the last image', async () => {
    const base = { packages: [{ name: 'curl', version: '7.88.1-10' }] };
    const [one, other] = [await debianImage(base), await debianImage({ ...base, more: [LODASH] })];
    for (const image of [one, other]) {
      const report = await scan(image);
      await store.reports.record({ digest: image.digest, report, scannedAt: new Date() });
    }
    const common = (await analysedKeys(one.digest)).filter((key) => key.includes('blob'));
    expect(await analysedKeys(other.digest)).toEqual(expect.arrayContaining(common));
    const later = new Date(Date.now() + 60_000);
    await sql.query('DELETE FROM image_reports WHERE digest = $1', [one.digest]);
    await store.analyses.removeUnused(later, Number.MAX_SAFE_INTEGER);
    expect(await store.analyses.find([one.digest])).toEqual([]);
    expect(await store.analyses.missing(common)).toEqual([]);
    await sql.query('DELETE FROM image_reports WHERE digest = $1', [other.digest]);
    await store.analyses.removeUnused(later, Number.MAX_SAFE_INTEGER);
    expect(await store.analyses.missing(common)).toEqual(common);
  });

  it('beyond the bound are removed, those of the image that was scanned first before others', async () => {
    const images = [
      await debianImage({ packages: [{ name: 'one', version: '1' }] }),
      await debianImage({ packages: [{ name: 'two', version: '1' }] }),
    ];
    for (const image of images) {
      const report = await scan(image);
      await store.reports.record({ digest: image.digest, report, scannedAt: new Date() });
    }
    const [first, second] = images.map(({ digest }) => digest);
    const { rows } = await sql.query<{ bytes: string }>(
      'SELECT sum(length(content)) AS bytes FROM scan_analyses WHERE key = ANY ($1)',
      [await analysedKeys(second ?? '')],
    );
    await store.analyses.removeUnused(new Date(0), Number(rows[0]?.bytes));
    expect(await store.analyses.find([second ?? ''])).toHaveLength(1);
    expect(await store.analyses.find([first ?? ''])).toEqual([]);
  });
});

const DATABASE = path.join(import.meta.dirname, '../../packages/scanner/fixture-db/db/trivy.db');
const DAY_MS = 86_400_000;
let updates = 0;

/** The fixture with texts of the same length in place of others; its pages have no checksum. */
async function updateTo(edits: [string, string][]): Promise<void> {
  let text = (await readFile(DATABASE)).toString('latin1');
  for (const [from, to] of edits) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  updates += 1;
  const at = new Date(Date.now() + updates * DAY_MS).toISOString();
  const repository = await serveVulnerabilityDb(registryUrl, {
    content: Buffer.from(text, 'latin1'),
    metadata: { UpdatedAt: at, NextUpdate: new Date(0).toISOString() },
  });
  await scanner.updateDatabase({ repositories: [repository] });
  expect(Date.parse((await scanner.database())?.updatedAt ?? '')).toBe(Date.parse(at));
}

const FIXED: [string, string] = ['3.0.13-1', '3.0.14-1'];
const SCORE: [string, string] = ['"V3Score":7.4', '"V3Score":7.3'];

describe('after an update of the database', () => {
  it.each<[string, [string, string][], [string, string][], string[]]>([
    ['an advisory changed', [], [FIXED], ['debian', 'both']],
    ['the score of a vulnerability changed', [FIXED], [FIXED, SCORE], ['both', 'npm']],
    ['nothing changed', [FIXED, SCORE], [FIXED, SCORE], []],
  ])(
    'where %s, the images that are left out have the same report as before',
    async (_, older, newer, expected) => {
      await updateTo(older);
      const images = {
        debian: await debianImage({ packages: FLAWED }),
        both: await debianImage({ packages: FLAWED, more: [LODASH] }),
        npm: await npmImage(),
        alpine: await alpineImage(),
        other: await debianImage({ packages: [{ name: 'tzdata', version: '2024a-0' }] }),
      };
      const before = new Map<string, object>();
      for (const image of Object.values(images)) before.set(image.digest, await scan(image));
      const { updatedAt: dbUpdatedAt = null } = (await scanner.database()) ?? {};
      await updateTo(newer);

      await using matcher = await scanner.startMatcher();
      const asked = Object.values(images).map(({ digest }) => ({ digest, dbUpdatedAt }));
      const plan = await matcher.plan(asked);
      // The ends of life of the releases are not known yet.
      expect(plan.isUnchanged(images.other.digest)).toBe(false);
      const changed: string[] = [];
      const asBefore: string[] = [];
      for (const [name, { digest }] of Object.entries(images)) {
        const report = (await matcher.match(digest))?.report;
        const scanner = { ...report?.scanner, dbUpdatedAt };
        if (!isDeepStrictEqual({ ...report, scanner }, before.get(digest))) changed.push(name);
        if (plan.isUnchanged(digest)) asBefore.push(name);
      }
      expect(changed).toEqual(expected);
      expect(asBefore).toEqual(Object.keys(images).filter((name) => !expected.includes(name)));
    },
  );

  it('no image is left out whose report is of yet another database', async () => {
    const image = await alpineImage();
    await scan(image);
    await updateTo([FIXED]);
    await using matcher = await scanner.startMatcher();
    await matcher.match(image.digest);
    const plan = await matcher.plan([
      { digest: image.digest, dbUpdatedAt: '2020-01-01T00:00:00Z' },
    ]);
    expect(plan.isUnchanged(image.digest)).toBe(false);
  });
});
