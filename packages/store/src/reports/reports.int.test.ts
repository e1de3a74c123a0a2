/**
 * Reports of digests, on a real PostgreSQL: the summaries for verdicts, and the rows for searches.
 */
import type { ScanReport, Severity, VulnerablePackage } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
const SUMMARY = {
  summary: {
    coverage: 'full',
    lacksThirdPartyAlone: false,
    severities: ['HIGH', 'LOW'],
    fixable: ['LOW'],
  },
  counts: { HIGH: 1, LOW: 0 },
  scannedAt: AT,
};

async function query(text: string, values: unknown[] = []) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

it('a report has a summary, by which it is judged without its findings', async () => {
  await store.reports.record({ digest: 'sha256:new', report: MIXED, scannedAt: AT });
  const found = await store.reports.summaries(['sha256:new', 'sha256:none']);
  expect([...found.keys()]).toEqual(['sha256:new']);
  expect(found.get('sha256:new')).toMatchObject(SUMMARY);
});

it.each([
  ['wrote the report', null],
  [
    'replaced a report that had one',
    '{"coverage":"full","severities":[],"fixable":[],"scannedAt":"2020-01-01"}',
  ],
])(
  'where an earlier release %s, the summary is computed from it, and stored',
  async (_, stored) => {
    await store.reports.record({ digest: 'sha256:old', report: MIXED, scannedAt: AT });
    await query('UPDATE image_reports SET summary = $1 WHERE digest = $2', [stored, 'sha256:old']);
    expect((await store.reports.summaries(['sha256:old'])).get('sha256:old')).toMatchObject(
      SUMMARY,
    );
    const rows = await query(
      "SELECT summary ->> 'scannedAt' AS at FROM image_reports WHERE digest = 'sha256:old'",
    );
    expect(rows).toEqual([{ at: AT.toISOString() }]);
  },
);

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
