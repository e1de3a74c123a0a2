/**
 * The re-match after an update of the database, by real workers: through a flushed Redis, a killed
 * server, a newer database and a killed worker.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  debianImage,
  eventually,
  json,
  openSql,
  pushImage,
  serveVulnerabilityDb,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness, provideTrivy, type WorkerProcess } from './harness.ts';

const COPIES = 150;
const ENV = { TRIVY_ENABLED: 'true', TRIVY_DB_UPDATE_HOURS: '1', TRIVY_JAVA_DB_ENABLED: 'false' };

let harness: Harness;
let worker: WorkerProcess;
let sql: Awaited<ReturnType<typeof openSql>>;
let digest: string;
let env: Record<string, string>;

beforeAll(async () => {
  harness = await openHarness();
  sql = await openSql(harness.databaseUrl);
  const { stdout } = await promisify(execFile)(await testTrivy(), ['--version']);
  await provideTrivy(harness, /Version: (\S+)/.exec(stdout)?.[1]);
  const repository = await serveDatabase(1, true);
  env = { ...ENV, TRIVY_DB_REPOSITORY: repository };
  worker = await harness.startWorker(env);
  digest = await scannedImage();
  await copyImage();
});
afterAll(async () => {
  await sql?.end();
  await harness?.[Symbol.asyncDispose]();
});

function serveDatabase(day: number, isEarlier = false): Promise<string> {
  const at = new Date(Date.UTC(2026, 0, day)).toISOString();
  return serveVulnerabilityDb(harness.registry.url, {
    isEarlier,
    metadata: { UpdatedAt: at, NextUpdate: at },
  });
}

async function update(day: number, isEarlier = false): Promise<void> {
  await serveDatabase(day, isEarlier);
  const order = { kind: 'scanner-db', options: {}, requestedBy: 'root' } as const;
  // One at a time: the last one may not have ended.
  await expect.poll(() => harness.store.maintenance.request(order)).not.toBeNull();
}

async function scannedImage(): Promise<string> {
  const image = await debianImage({
    packages: [
      { name: 'sudo', version: '1.9.13p3-1' },
      { name: 'openssl', version: '3.0.11-1' },
    ],
  });
  await pushImage(harness.registry.url, 'team/app', '1', image);
  const at = new Date();
  const tag = { repository: 'team/app', tag: '1', digest: image.digest, manifests: [], at };
  await harness.store.images.record(tag);
  const place = { registryId: '__local__', repository: 'team/app', reference: '1' };
  await harness.store.scans.insert({
    ...place,
    digest: image.digest,
    requestedById: harness.admin.id,
    state: 'queued',
  });
  await eventually(() => harness.store.reports.find(image.digest));
  return image.digest;
}

/** More tagged images of the same layers, with the report and the analyses of the first. */
async function copyImage(): Promise<void> {
  const manifests = `${harness.registry.url}/v2/team/app/manifests`;
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const first = await fetch(`${manifests}/1`, { headers: { accept: type } });
  const document = Object(await json(first));
  const digests: string[] = [];
  for (let n = 1; n <= COPIES; n++) {
    const body = JSON.stringify({ ...document, annotations: { copy: String(n) } });
    const headers = { 'content-type': type };
    const put = await fetch(`${manifests}/copy-${n}`, { method: 'PUT', body, headers });
    expect(put.status).toBe(201);
    digests.push(`sha256:${createHash('sha256').update(body).digest('hex')}`);
  }
  await sql.query(
    `INSERT INTO image_reports (digest, report, critical, high, medium, low, unknown, fixable,
                                scanner_version, db_updated_at, gaps, scanned_at, facts)
     SELECT copy, report, critical, high, medium, low, unknown, fixable, scanner_version,
            db_updated_at, gaps, scanned_at, facts
       FROM image_reports, unnest($2::text[]) copy WHERE digest = $1`,
    [digest, digests],
  );
  await sql.query(
    `INSERT INTO image_analyses (digest, profile, image, keys, packages, created_at)
     SELECT copy, profile, image, keys, packages, created_at
       FROM image_analyses, unnest($2::text[]) copy WHERE digest = $1`,
    [digest, digests],
  );
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at)
     SELECT 'team/app', 'copy-' || n, copy, now() - n * interval '1 hour'
       FROM unnest($1::text[]) WITH ORDINALITY copies(copy, n)
     ON CONFLICT DO NOTHING`,
    [digests],
  );
}

/** How many images have a report by the database of this day. */
async function judgedWith(day: number): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM image_reports
      WHERE db_updated_at::timestamptz = $1`,
    [new Date(Date.UTC(2026, 0, day))],
  );
  return rows[0]?.count ?? 0;
}

async function withFinding(id: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    'SELECT count(DISTINCT digest)::int AS count FROM image_findings WHERE vulnerability = $1',
    [id],
  );
  return rows[0]?.count ?? 0;
}

/** The process ids of running servers of Trivy below a worker. */
async function serversOf({ pid }: WorkerProcess): Promise<number[]> {
  const servers: number[] = [];
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const [stat, line] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent === pid && line?.includes('\0server\0')) servers.push(Number(name));
  }
  return servers;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('all tagged images have the findings of a new database, from stored analyses, after Redis was flushed', async () => {
  await harness.redis.flushall();
  await update(2);
  await expect.poll(() => judgedWith(2)).toBeGreaterThan(COPIES / 10);
  const [server] = await serversOf(worker);
  if (server !== undefined) process.kill(server, 'SIGKILL');
  // The image at which it was killed is scanned.
  await expect.poll(() => judgedWith(2)).toBe(COPIES + 1);
  expect(await withFinding('CVE-2099-0011')).toBe(COPIES + 1);
  const progress = await harness.store.rematches.progress();
  expect(progress).toMatchObject({ dbUpdatedAt: new Date('2026-01-02') });
  expect(progress?.changed).toBe(progress?.matched);
  expect(progress?.failed).toBeLessThanOrEqual(1);
});

it('a newer database in the middle starts over, and every report is of the newest', async () => {
  await update(3, true);
  await expect.poll(() => judgedWith(3)).toBeGreaterThan(0);
  await update(4);
  await expect.poll(() => judgedWith(4)).toBe(COPIES + 1);
  expect(await withFinding('CVE-2099-0011')).toBe(COPIES + 1);
  await expect.poll(() => serversOf(worker)).toEqual([]);
});

it('the server ends with a killed worker, and another worker continues', async () => {
  await update(5, true);
  await expect.poll(() => judgedWith(5)).toBeGreaterThan(0);
  const [server = 0] = await serversOf(worker);
  await worker.kill('SIGKILL');
  if (server !== 0) await expect.poll(() => isRunning(server)).toBe(false);
  const before = await judgedWith(5);
  worker = await harness.startWorker(env);
  await expect.poll(() => judgedWith(5)).toBe(COPIES + 1);
  expect(before).toBeLessThanOrEqual(COPIES + 1);
  expect(await withFinding('CVE-2099-0011')).toBe(0);
  await worker.kill('SIGTERM');
  expect(await serversOf(worker)).toEqual([]);
});
