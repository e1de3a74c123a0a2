/**
 * `npm run bench vulnerabilities [-- images]`: the queries of the vulnerability pages over 2,000
 * images with 300 findings each, for an administrator and for an account that may pull from three
 * of fifty folders, on a real PostgreSQL.
 */
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { createDatabase, openSql } from '@portcullis/testing';

const images = Number(process.argv[2] ?? 2_000);
const FINDINGS = 300;
const VULNERABILITIES = 20_000;
const FOLDERS = 50;
const RUNS = 20;

const database = await createDatabase();
const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));

async function populate(): Promise<void> {
  const sql = await openSql(database.url);
  await sql.query(
    `INSERT INTO folders (id, name)
     SELECT gen_random_uuid(), 'folder-' || n FROM generate_series(0, $1::int - 1) n`,
    [FOLDERS],
  );
  await sql.query(
    `INSERT INTO local_repositories (name, namespace, updated_at, seen_at)
     SELECT 'folder-' || n % $2::int || '/app-' || n, 'folder-' || n % $2::int, now(), now()
       FROM generate_series(1, $1::int) n`,
    [images, FOLDERS],
  );
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at)
     SELECT 'folder-' || n % $2::int || '/app-' || n, '1', 'sha256:' || n, now()
       FROM generate_series(1, $1::int) n`,
    [images, FOLDERS],
  );
  await sql.query(
    `INSERT INTO image_reports (digest, report, critical, high, medium, low, unknown, fixable,
                                scanner_version, scanned_at, facts)
     SELECT 'sha256:' || n, '{}', 0, 0, 0, 0, 0, 0, '0', now() - n % 30 * interval '1 day', '{}'
       FROM generate_series(1, $1::int) n`,
    [images],
  );
  // Some vulnerabilities are in most images, and most in few.
  await sql.query(
    `INSERT INTO image_findings (digest, vulnerability, package, installed_version, fixed_version,
                                 severity, first_seen_at, title)
     SELECT 'sha256:' || n, 'CVE-2026-' || v, 'package-' || v % 900, '1.0',
            CASE v % 3 WHEN 0 THEN NULL ELSE '1.1' END,
            (ARRAY['LOW', 'MEDIUM', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + v % 5],
            now() - v % 30 * interval '1 day', 'A made-up vulnerability'
       FROM generate_series(1, $1::int) n
      CROSS JOIN LATERAL (
        SELECT DISTINCT CASE WHEN f % 2 = 0 THEN f ELSE (n * 7919 + f * 104729) % $3::int END AS v
          FROM generate_series(1, $2::int) f) found`,
    [images, FINDINGS, VULNERABILITIES],
  );
  await sql.query('ANALYZE');
  const { rows } = await sql.query('SELECT count(*)::int AS count FROM image_findings');
  process.stdout.write(`${images} images, ${rows[0].count} findings\n`);
  await sql.end();
}

type Query = (folders: 'all' | string[]) => Promise<unknown>;

const DAY_MS = 86_400_000;

function queries({ vulnerabilities, reports }: Store): [string, Query][] {
  const list =
    (filter: object): Query =>
    (folders) =>
      vulnerabilities.list({ folders, limit: 50, ...filter });
  return [
    ['first page', list({})],
    ['by text', list({ text: 'package-12' })],
    ['of a severity', list({ severity: 'HIGH' })],
    ['new since yesterday', list({ since: new Date(Date.now() - DAY_MS) })],
    ['one, in many images', list({ id: 'CVE-2026-8' })],
    ['its images', (folders) => reports.search({ vulnerability: 'CVE-2026-8', folders })],
  ];
}

async function time(query: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < RUNS; nth++) {
    const began = performance.now();
    await query();
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other);
}

await populate();
for (const [who, folders] of [
  ['administrator', 'all'],
  ['three folders', ['folder-1', 'folder-2', 'folder-3']],
] as const)
  for (const [what, query] of queries(store)) {
    const times = await time(() => query(folders === 'all' ? 'all' : [...folders]));
    const at = (share: number) => (times[Math.floor(share * (RUNS - 1))] ?? 0).toFixed(0);
    process.stdout.write(`${who}, ${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
  }
await store.close();
await database.stop();
