/**
 * Reports of digests, on a real PostgreSQL: the facts for standings, and the rows for searches.
 */
import type { ScanReport, Severity, VulnerablePackage } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../index.ts';
import type { Store } from '../port.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

const AT = new Date('2026-01-02T03:04:05.678Z');

function pack(
  name: string,
  severity: Severity,
  change: Partial<VulnerablePackage> = {},
): VulnerablePackage {
  const where = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
  return {
    name,
    severity,
    installedVersion: '1',
    fixedVersion: null,
    status: 'affected',
    ...where,
    ...change,
  };
}

function report(packages: VulnerablePackage[]): ScanReport {
  const NO_DETAILS = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };
  const vulnerability = { id: 'CVE-1', severity: 'HIGH' as const, ...NO_DETAILS, primaryUrl: null };
  const scanner = { name: 'trivy', version: '1', dbUpdatedAt: null };
  const vulnerabilities = [{ ...vulnerability, publishedAt: null, packages }];
  return { coverage: 'full', notes: [], os: null, targets: [], vulnerabilities, scanner };
}

const MIXED = report([pack('shared', 'HIGH'), pack('shared2', 'LOW', { fixedVersion: '2' })]);
async function query(text: string, values: unknown[] = []) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

it('S8: a row has the severity of its package; of one that occurs twice, the worse', async () => {
  const twice = [pack('twice', 'LOW', { path: 'a' }), pack('twice', 'HIGH', { path: 'b' })];
  await store.reports.record({
    digest: 'sha256:rows',
    report: report([...twice, pack('shared2', 'LOW')]),
    scannedAt: AT,
  });
  const rows = await query(
    "SELECT package, severity FROM image_findings WHERE digest = 'sha256:rows' ORDER BY package",
  );
  expect(rows).toEqual([
    { package: 'shared2', severity: 'LOW' },
    { package: 'twice', severity: 'HIGH' },
  ]);
});

describe('the facts of a report', () => {
  const FACTS = {
    report: {
      facts: {
        coverage: 'full',
        lacksThirdPartyAlone: false,
        artifactType: null,
        databaseAt: '2026-02-01T00:00:00Z',
        findings: [
          { id: 'CVE-1', package: 'shared', severity: 'HIGH', fixedVersion: null },
          { id: 'CVE-1', package: 'shared2', severity: 'LOW', fixedVersion: '2' },
        ],
      },
      counts: { HIGH: 1, LOW: 0 },
      scannedAt: AT,
      scanner: { name: 'trivy', version: '1' },
    },
    failedScanIn: [],
  };

  async function factsOf(digest: string) {
    return (await store.reports.facts([digest, 'sha256:none'])).get(digest);
  }

  it('are stored with it', async () => {
    const digest = 'sha256:facts';
    await store.reports.record({ digest, report: MIXED, scannedAt: AT });
    await store.reports.confirm([digest], null, '2026-02-01T00:00:00Z');
    expect(await factsOf(digest)).toMatchObject(FACTS);
  });

  it.each([
    ['after the report is known', new Date(AT.getTime() + 1), ['r']],
    ['before the report is of no interest', new Date(AT.getTime() - 1), []],
  ])('a scan that failed %s', async (name, finishedAt, failed) => {
    const digest = `sha256:failed ${name}`;
    const [user] = await query(
      `INSERT INTO users (id, username, username_key)
       VALUES (gen_random_uuid(), $1, $1) RETURNING id`,
      [name],
    );
    await query(
      `INSERT INTO image_scans
         (id, registry_id, repository, reference, digest, state, requested_by_id, finished_at)
       VALUES (gen_random_uuid(), '__local__', 'r', 't', $1, 'failed', $2, $3)`,
      [digest, user.id, finishedAt],
    );
    expect(await factsOf(digest)).toMatchObject({ report: null, failedScanIn: ['r'] });
    await store.reports.record({ digest, report: MIXED, scannedAt: AT });
    expect(await factsOf(digest)).toMatchObject({ failedScanIn: failed });
  });
});

it('a scan with an older database replaces no report of a newer one', async () => {
  const digest = 'sha256:overtaken';
  const reportOf = (dbUpdatedAt: string, ...packages: VulnerablePackage[]) => ({
    ...report(packages),
    scanner: { name: 'trivy', version: '1', dbUpdatedAt },
  });
  const newer = reportOf('2026-02-02T00:00:00.123456789Z', pack('openssl', 'CRITICAL'));
  await store.reports.record({ digest, report: newer, scannedAt: AT });
  const later = new Date(AT.getTime() + 60_000);
  const older = reportOf('2026-02-01T00:00:00Z');
  await store.reports.record({ digest, report: older, scannedAt: later });
  expect((await store.reports.find(digest))?.report.scanner.dbUpdatedAt).toBe(
    newer.scanner.dbUpdatedAt,
  );
  const same = reportOf('2026-02-02T00:00:00.123456789Z');
  await store.reports.record({ digest, report: same, scannedAt: later });
  expect((await store.reports.find(digest))?.scannedAt).toEqual(later);
});

describe('of two reports of a digest', () => {
  const OLD = '2026-02-01T00:00:00Z';
  const NEW = '2026-02-02T00:00:00.123456789Z';
  const made = (dbUpdatedAt: string | null, name: string) => ({
    ...report([pack(name, 'HIGH')]),
    scanner: { name: 'trivy', version: '1', dbUpdatedAt },
  });
  const EARLIER = new Date(AT.getTime() - 60_000);
  const AHEAD = new Date('2999-01-01');

  it.each<[string, [string | null, Date], [string | null, Date], 'first' | 'second']>([
    [
      'that of a newer database is kept, although it began earlier',
      [OLD, AT],
      [NEW, EARLIER],
      'second',
    ],
    [
      'that of an older database is not, although it ended later',
      [NEW, EARLIER],
      [OLD, AT],
      'first',
    ],
    ['of the same database the later one is kept', [OLD, EARLIER], [OLD, AT], 'second'],
    ['of the same database the earlier one is not', [OLD, AT], [OLD, EARLIER], 'first'],
    ['without a database the later one is kept', [null, EARLIER], [null, AT], 'second'],
    ['without a database the earlier one is not', [null, AT], [null, EARLIER], 'first'],
    ['a clock that was ahead keeps none out', [OLD, AHEAD], [OLD, new Date()], 'second'],
    ['a clock that was ahead keeps no newer database out', [OLD, AHEAD], [NEW, AT], 'second'],
  ])('%s', async (name, [database, at], [other, then], kept) => {
    const digest = `sha256:${name}`;
    await store.reports.record({ digest, report: made(database, 'first'), scannedAt: at });
    const again = then > AT ? new Date() : then;
    await store.reports.record({ digest, report: made(other, 'second'), scannedAt: again });
    const found = await store.reports.find(digest);
    expect(found?.report.vulnerabilities[0]?.packages[0]?.name).toBe(kept);
    expect(found?.scannedAt.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

it.each<[string, ScanReport, string]>([
  ['the name of a package', report([pack('a\0b', 'HIGH')]), 'a\uFFFDb'],
  [
    'an installed version',
    report([pack('version', 'HIGH', { installedVersion: '1\0' })]),
    '1\uFFFD',
  ],
  [
    'the version that fixes it',
    report([pack('fixed', 'HIGH', { fixedVersion: '\ud83d' })]),
    '\uFFFD',
  ],
  [
    'the name of an operating system',
    { ...MIXED, os: { family: 'debian', name: '12\0', eosl: false } },
    '12\uFFFD',
  ],
  ['a note', { ...MIXED, notes: ['half \udd12'] }, 'half \uFFFD'],
  [
    'a place in the image',
    report([pack('place', 'HIGH', { path: 'usr/\0/lib' })]),
    'usr/\uFFFD/lib',
  ],
])('a report is stored although %s has what no column takes', async (name, given, stored) => {
  const digest = `sha256:unstorable ${name}`;
  await store.reports.record({ digest, report: given, scannedAt: AT });
  const found = await store.reports.find(digest);
  expect(JSON.stringify(found)).toContain(stored);
});

it('a failed scan in another registry says nothing: it may claim any digest', async () => {
  const digest = 'sha256:claimed elsewhere';
  const [user] = await query(
    `INSERT INTO users (id, username, username_key)
     VALUES (gen_random_uuid(), 'elsewhere', 'elsewhere') RETURNING id`,
    [],
  );
  await query(
    `INSERT INTO image_scans
       (id, registry_id, repository, reference, digest, state, requested_by_id, finished_at)
     VALUES (gen_random_uuid(), gen_random_uuid()::text, 'r', 't', $1, 'failed', $2, now())`,
    [digest, user.id],
  );
  expect((await store.reports.facts([digest])).get(digest)).toBeUndefined();
});

it('a failed scan counts in its repository, until a later one there succeeds', async () => {
  const digest = 'sha256:in two repositories';
  const [user] = await query(
    `INSERT INTO users (id, username, username_key)
     VALUES (gen_random_uuid(), 'two', 'two') RETURNING id`,
    [],
  );
  const scan = (repository: string, state: string, at: string) =>
    query(
      `INSERT INTO image_scans
         (id, registry_id, repository, reference, digest, state, requested_by_id, finished_at)
       VALUES (gen_random_uuid(), '__local__', $1, 't', $2, $3, $4, $5)`,
      [repository, digest, state, user.id, at],
    );
  const failedIn = async () =>
    (await store.reports.facts([digest])).get(digest)?.failedScanIn ?? [];
  await scan('play/app', 'failed', '2026-01-01');
  await scan('prod/app', 'done', '2026-01-02');
  expect(await failedIn()).toEqual(['play/app']);
  await scan('play/app', 'done', '2026-01-03');
  expect(await failedIn()).toEqual([]);
});

describe('the reports of the manifests below an index', () => {
  const INDEX = 'application/vnd.oci.image.index.v1+json';
  const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
  const nothing = { artifactType: null, subject: null, size: 1, platforms: [], contents: [] };
  const DATABASE = { dbUpdatedAt: new Date('2020-01-01'), javaSince: null };

  async function tagIndex(name: string) {
    const [digest, child] = [`sha256:${name}`, `sha256:${name}-child`];
    const contents = [{ digest: child, size: 1, isManifest: true }];
    await store.images.record({
      repository: `team/${name}`,
      tag: '1',
      digest,
      manifests: [
        { ...nothing, digest: child, mediaType: MANIFEST },
        { ...nothing, digest, mediaType: INDEX, contents },
      ],
      at: AT,
    });
    return { digest, child };
  }

  const dated = (dbUpdatedAt: string) => ({ ...MIXED, scanner: { ...MIXED.scanner, dbUpdatedAt } });
  const SCANNED = dated('2026-01-01T00:00:00Z');

  it('are recorded with it, kept as long as it, and not found twice', async () => {
    const { digest, child } = await tagIndex('multi');
    const part = { digest: child, report: SCANNED };
    await store.reports.record({ digest, report: SCANNED, scannedAt: AT }, [part]);
    expect([...(await store.reports.facts([digest, child])).keys()]).toHaveLength(2);
    await store.reports.removeUnused(new Date());
    expect(await store.reports.find(child)).not.toBeNull();
    const { items } = await store.reports.search({ folders: 'all', package: 'shared' });
    expect(items.map((item) => item.digest)).toEqual([digest]);
    await store.images.removeManifest('team/multi', digest);
    await store.reports.removeUnused(new Date());
    expect(await store.reports.find(child)).toBeNull();
  });

  it('are confirmed with it', async () => {
    const { digest, child } = await tagIndex('confirmed');
    const part = { digest: child, report: SCANNED };
    await store.reports.record({ digest, report: SCANNED, scannedAt: AT }, [part]);
    await store.reports.confirm([digest], '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z');
    const found = await store.reports.find(child);
    expect(found?.report.scanner.dbUpdatedAt).toBe('2026-01-02T00:00:00Z');
  });

  it('are made by a rescan where one is missing', async () => {
    const { digest, child } = await tagIndex('incomplete');
    await store.reports.record({ digest, report: SCANNED, scannedAt: AT });
    const rescan = await store.rescans.claim(DATABASE);
    expect(rescan).toMatchObject({ digest, repository: 'team/incomplete' });
    const part = { digest: child, report: SCANNED };
    const later = new Date(AT.getTime() + 1);
    await store.reports.record({ digest, report: SCANNED, scannedAt: later }, [part]);
    if (rescan) await store.rescans.finish(rescan);
    expect(await store.rescans.claim(DATABASE)).toBeNull();
  });
});

it('analyses of many megabytes are saved by workers at once, whatever their order', async () => {
  const analyses = Array.from({ length: 900 }, (_, nth) => ({
    key: `key-${nth}`,
    diffId: `sha256:${nth}`,
    content: Buffer.alloc(nth < 3 ? 700_000 : 9, `${nth}`),
  }));
  const image = (digest: string) => ({
    ...{ digest, profile: 'p', image: {}, packages: null },
    keys: analyses.map(({ key }) => key),
  });
  const orders = [analyses, analyses.toReversed()];
  const digests = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `sha256:${name}`);
  await Promise.all(
    digests.map((digest, nth) => store.analyses.save(image(digest), orders[nth % 2] ?? [])),
  );
  const contents = await store.analyses.contents(image('').keys);
  const stored = contents.map(({ key, content }) => [key, Buffer.from(content)]);
  expect(new Map(stored as [string, Buffer][])).toEqual(
    new Map(analyses.map(({ key, content }) => [key, content])),
  );
  expect(await store.analyses.find(digests)).toHaveLength(digests.length);
});
