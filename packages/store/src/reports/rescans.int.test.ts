/** Which tagged images are scanned again, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import {
  type CoverageGap,
  NO_PROGRESS,
  type ScanReport,
  type VulnResult,
} from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../accounts/records.ts';
import { openStore } from '../index.ts';
import type { Store } from '../port.ts';
import type { Rescan, ScanData } from './records.ts';

let database: TestDatabase;
let store: Store;
let owner: User;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  owner = await store.users.insert({ username: 'ann', passwordHash: null });
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});
beforeEach(async () => {
  for (const table of [
    'local_repositories',
    'image_reports',
    'image_rescans',
    'image_scans',
    'staging_jobs',
  ])
    await sql.query(`TRUNCATE ${table} CASCADE`);
});

const OLD = '2026-01-01T00:00:00.123456789Z';
const NOW: ScanData = { dbUpdatedAt: new Date('2026-01-02T00:00:00.123Z'), javaSince: null };
const day = (count: number) => new Date(Date.UTC(2026, 0, count));

function report(dbUpdatedAt: string | null, gaps: CoverageGap[] = []): ScanReport {
  const scanner = { name: 'trivy', version: '0.74.0', dbUpdatedAt };
  const coverage = gaps.length === 0 ? 'full' : 'partial';
  return { coverage, notes: [], gaps, os: null, targets: [], vulnerabilities: [], scanner };
}

const JAVA: CoverageGap = { kind: 'java_index_missing', platform: null, archives: [] };

async function tagged(
  digest: string,
  {
    pushed = 1,
    scanned = report(OLD),
    at = day(1),
  }: { pushed?: number; scanned?: ScanReport | null; at?: Date } = {},
): Promise<void> {
  const manifests = [
    {
      digest,
      mediaType: 'm',
      artifactType: null,
      subject: null,
      size: 1,
      contents: [],
      platforms: [],
    },
  ];
  await store.images.record({
    repository: `team/${digest}`,
    tag: '1',
    digest,
    manifests,
    at: day(pushed),
  });
  if (scanned) await store.reports.record({ digest, report: scanned, scannedAt: at });
}

/** Claims one after the other and finishes each with a report of now. */
async function all(data = NOW): Promise<string[]> {
  const found: string[] = [];
  for (let next = await store.rescans.claim(data); next; next = await store.rescans.claim(data)) {
    found.push(next.digest);
    await done(next, data);
  }
  return found;
}

/** As the archive of audit events records it. */
function pulled(digest: string, at: number): Promise<void> {
  const fields = { client_ip: null, user_agent: null, method: 'GET', path: null, status: 200 };
  return store.audit.insert([
    {
      ...fields,
      id: randomUUID(),
      at: day(at).toISOString(),
      event: 'image.pull',
      outcome: 'success',
      actor: { id: null, name: 'ada', auth: 'basic' },
      action: 'pull',
      resource: { kind: 'image', id: digest, name: 'team/app' },
      duration_ms: 1,
      request_id: null,
      detail: {},
    },
  ]);
}

async function done(rescan: Rescan, data: ScanData): Promise<void> {
  const now = report(data.dbUpdatedAt.toISOString());
  await store.reports.record({ digest: rescan.digest, report: now, scannedAt: new Date() });
  await store.rescans.finish(rescan);
}

describe('S4d: after an update of the database', () => {
  it('tagged images are scanned again, each once, the newest first', async () => {
    await tagged('old', { pushed: 1 });
    await tagged('new', { pushed: 3 });
    await tagged('middle', { pushed: 2 });
    expect(await store.rescans.progress(NOW)).toEqual({ done: 0, left: 3, failed: 0 });
    expect(await all()).toEqual(['new', 'middle', 'old']);
    expect(await store.rescans.progress(NOW)).toEqual({ done: 3, left: 0, failed: 0 });
  });

  it('one that was pulled since its push comes first', async () => {
    await tagged('old', { pushed: 1 });
    await tagged('new', { pushed: 3 });
    await pulled('old', 4);
    expect(await all()).toEqual(['old', 'new']);
  });

  it.each<[string, () => Promise<void>, string[]]>([
    [
      'one that was scanned by this database is left out',
      () => tagged('a', { scanned: report('2026-01-02T00:00:00.123456Z') }),
      [],
    ],
    [
      'one that was scanned by a newer one is left out',
      () => tagged('a', { scanned: report('2026-01-03T00:00:00Z') }),
      [],
    ],
    ['one that was never scanned is left out', () => tagged('a', { scanned: null }), []],
    [
      'one that no tag names is left out',
      () => store.reports.record({ digest: 'a', report: report(OLD), scannedAt: day(1) }),
      [],
    ],
    [
      'one with nothing to judge is left out',
      () => tagged('a', { scanned: report(OLD, [{ kind: 'nothing_found', platform: null }]) }),
      [],
    ],
    ['one of an unknown database is scanned', () => tagged('a', { scanned: report(null) }), ['a']],
  ])('%s', async (_, arrange, expected) => {
    await arrange();
    expect(await all()).toEqual(expected);
  });

  it('one at a time, and none while a requested scan is queued or running', async () => {
    await tagged('a');
    await tagged('b', { pushed: 2 });
    const place = { registryId: '__local__', repository: 'team/a', reference: '1', digest: 'a' };
    const scan = await store.scans.insert({ ...place, requestedById: owner.id, state: 'queued' });
    expect(await store.rescans.claim(NOW)).toBeNull();
    const claimed = await store.scans.claim();
    await store.scans.finish(scan.id, claimed?.attempts ?? 0, { error: null });
    const first = await store.rescans.claim(NOW);
    expect(first).toMatchObject({ repository: 'team/b', attempts: 1 });
    expect(await store.rescans.claim(NOW)).toBeNull();
    expect(first && (await store.rescans.renew(first))).toBe(true);
    if (first) await done(first, NOW);
    expect(await store.rescans.claim(NOW)).toMatchObject({ digest: 'a' });
  });

  it('none while a job waits for its scan', async () => {
    await tagged('a');
    const job = await store.jobs.insert({
      ownerId: owner.id,
      image: 'x',
      tag: '1',
      source: { kind: 'registry', registryId: '__local__', host: '' },
    });
    await store.jobs.update(job.id, (row) => ({
      ...row,
      status: 'scan_queued',
      progress: NO_PROGRESS,
    }));
    expect(await store.rescans.claim(NOW)).toBeNull();
    await store.jobs.remove(job.id);
    expect(await store.rescans.claim(NOW)).not.toBeNull();
  });

  it('the next worker takes the claim of a killed one, whose late writes change nothing', async () => {
    await tagged('a');
    const lost = await store.rescans.claim(NOW);
    await sql.query(
      `UPDATE image_rescans SET lease_until = now() - interval '1 s', tried_at = now() - interval '1 h'`,
    );
    const taken = await store.rescans.claim(NOW);
    expect(taken).toMatchObject({ digest: 'a', attempts: 2 });
    expect(lost && (await store.rescans.renew(lost))).toBe(false);
    if (lost) await store.rescans.finish(lost);
    expect(taken && (await store.rescans.renew(taken))).toBe(true);
  });

  it.each([
    ['', 'x'],
    [' with half a character', '\udd12'],
    [' with NUL', '\0'],
  ])(
    'a failure%s does not block the others; it is tried again with the next database',
    async (_, message) => {
      await tagged('bad', { pushed: 2 });
      await tagged('good', { pushed: 1 });
      const bad = await store.rescans.claim(NOW);
      if (bad) await store.rescans.fail(bad, { code: 'SCAN_FAILED', message }, false);
      expect(await all()).toEqual(['good']);
      expect(await store.rescans.progress(NOW)).toEqual({ done: 1, left: 0, failed: 1 });
      const later = { ...NOW, dbUpdatedAt: day(9) };
      expect(await store.rescans.progress(later)).toEqual({ done: 0, left: 2, failed: 0 });
      expect(await store.rescans.claim(later)).toMatchObject({ digest: 'bad', attempts: 1 });
    },
  );

  it('a transient failure is tried three times, with pauses', async () => {
    await tagged('a');
    for (const attempt of [1, 2, 3]) {
      const taken = await store.rescans.claim(NOW);
      expect(taken).toMatchObject({ attempts: attempt });
      if (taken) await store.rescans.fail(taken, { code: 'SCAN_TIMEOUT', message: 'x' }, true);
      expect(await store.rescans.claim(NOW)).toBeNull();
      await sql.query(`UPDATE image_rescans SET tried_at = now() - interval '1 h'`);
    }
    expect(await store.rescans.claim(NOW)).toBeNull();
    expect(await store.rescans.progress(NOW)).toEqual({ done: 0, left: 0, failed: 1 });
  });
});

describe('S9: when the index of Java archives has arrived', () => {
  const CURRENT = NOW.dbUpdatedAt.toISOString();
  const arrived = { ...NOW, javaSince: day(5) };

  it('tagged images that were scanned without it are scanned again', async () => {
    await tagged('waits', { scanned: report(CURRENT, [JAVA]), at: day(4) });
    await tagged('knows', { scanned: report(CURRENT), at: day(4) });
    await tagged('still-without', { scanned: report(CURRENT, [JAVA]), at: day(6) });
    expect(await store.rescans.claim(NOW)).toBeNull();
    expect(await all(arrived)).toEqual(['waits']);
  });

  it('scans on demand that ended without it are queued again, the newest of each image', async () => {
    await store.reports.record({ digest: 'd', report: report(CURRENT, [JAVA]), scannedAt: day(4) });
    await store.reports.record({ digest: 'e', report: report(CURRENT), scannedAt: day(4) });
    const place = {
      registryId: '__local__',
      repository: 'r',
      reference: '1',
      requestedById: owner.id,
    };
    await store.scans.insert({ ...place, digest: 'd', state: 'done' });
    const newest = await store.scans.insert({ ...place, digest: 'd', state: 'done' });
    await store.scans.insert({ ...place, digest: 'e', state: 'done' });
    expect(await store.scans.requeue('java_index_missing', day(5))).toEqual([
      { id: newest.id, attempts: 0 },
    ]);
    expect(await store.scans.due()).toEqual([{ id: newest.id, attempts: 0 }]);
    expect(await store.scans.claim()).toMatchObject({ id: newest.id });
    expect(await store.scans.due()).toEqual([]);
    expect(await store.scans.claim()).toBeNull();
  });

  it('a scan that is queued again has all its attempts, and a late write of its first worker changes nothing', async () => {
    await store.reports.record({ digest: 'd', report: report(CURRENT, [JAVA]), scannedAt: day(4) });
    const place = {
      registryId: '__local__',
      repository: 'r',
      reference: '1',
      requestedById: owner.id,
    };
    const { id } = await store.scans.insert({ ...place, digest: 'd', state: 'queued' });
    expect(await store.scans.claim()).toMatchObject({ attempts: 1, tries: 1 });
    await store.scans.release(id, 1, { seconds: 0 });
    expect(await store.scans.claim()).toMatchObject({ attempts: 2, tries: 2 });
    await store.scans.finish(id, 2, { error: null });
    expect(await store.scans.requeue('java_index_missing', day(5))).toEqual([{ id, attempts: 2 }]);
    expect(await store.scans.claim()).toMatchObject({ attempts: 3, tries: 1 });
    expect(await store.scans.renew(id, 1)).toBe(false);
    expect(await store.scans.finish(id, 1, { error: null })).toBe(false);
    expect(await store.scans.renew(id, 3)).toBe(true);
  });

  it('staged jobs are found by the gap of their scans', async () => {
    const gaps = { java: [JAVA], none: [] };
    const ids: Record<string, string> = {};
    for (const [name, found] of Object.entries(gaps)) {
      const source = { kind: 'registry', registryId: '__local__', host: '' } as const;
      const { id } = await store.jobs.insert({ ownerId: owner.id, image: name, tag: '1', source });
      const vulnResult = { ...report(CURRENT, found), enabled: true } as VulnResult;
      await store.jobs.update(id, (row) => ({ ...row, status: 'staged', vulnResult }));
      ids[name] = id;
    }
    const soon = new Date(Date.now() + 60_000);
    expect(await store.jobs.stagedWithGap('java_index_missing', soon)).toEqual([ids.java]);
    expect(await store.jobs.stagedWithGap('java_index_missing', day(1))).toEqual([]);
  });
});

describe('a scan on demand that is released', () => {
  const place = { registryId: '__local__', repository: 'r', reference: '1', digest: 'd' };
  const insert = () => store.scans.insert({ ...place, requestedById: owner.id, state: 'queued' });

  it('with a pause is not claimed before its end, and blocks no rescan meanwhile', async () => {
    await tagged('a');
    const { id } = await insert();
    await store.scans.claim();
    await store.scans.release(id, 1, { seconds: 3_600 });
    expect(await store.scans.claim()).toBeNull();
    expect(await store.rescans.claim(NOW)).toMatchObject({ digest: 'a' });
    await sql.query(`UPDATE image_scans SET not_before = now() - interval '1 s'`);
    expect(await store.scans.claim()).toMatchObject({ id, attempts: 2, tries: 2 });
  });

  it.each<[string, { seconds: number; uncounted: boolean } | undefined]>([
    ['released for lack of disk space', { seconds: 0, uncounted: true }],
    ['released by a stopping worker', undefined],
  ])('%s has lost no attempt', async (_, pause) => {
    const { id } = await insert();
    await store.scans.claim();
    await store.scans.release(id, 1, pause);
    expect(await store.scans.claim()).toMatchObject({ id, attempts: 2, tries: 1 });
  });
});

describe('the first scan', () => {
  const first = async () => (await store.rescans.claimFirst(NOW))?.digest ?? null;
  const LATER: ScanData = { ...NOW, dbUpdatedAt: new Date('2026-01-03') };

  beforeEach(async () => {
    await store.folders.ensureRoot();
    await sql.query("UPDATE folders SET push_gate = 'report'");
  });

  it('takes what has no report, newest push first, while a rescan runs', async () => {
    await tagged('scanned');
    await tagged('older', { scanned: null, pushed: 1 });
    await tagged('newer', { scanned: null, pushed: 2 });
    expect(await store.rescans.claim(NOW)).toMatchObject({ digest: 'scanned' });
    expect(await store.rescans.firstDue(NOW, 10)).toEqual(['newer', 'older']);
    expect([await first(), await first(), await first()]).toEqual(['newer', 'older', null]);
  });

  it.each([
    ['an artifact is left out', '{}', null],
    ['an image that claims to be one is taken', '{linux/amd64}', 'image'],
  ])('%s', async (_, platforms, expected) => {
    await tagged('image', { scanned: null });
    await sql.query("UPDATE local_manifests SET artifact_type = 'a/b', platforms = $1", [
      platforms,
    ]);
    expect(await first()).toBe(expected);
  });

  it('takes nothing from a folder that does not scan what is pushed', async () => {
    await sql.query("UPDATE folders SET push_gate = 'off'");
    await tagged('image', { scanned: null });
    expect(await first()).toBeNull();
  });

  it.each([
    ['was pushed just now, as an index may follow', 'now()', '', null],
    ['was pushed a while ago', 'pushed_at', '', 'image'],
    ['is below an index', 'pushed_at', 'index', null],
  ])('of a manifest without a tag that %s', async (_, pushedAt, parent, expected) => {
    await tagged('image', { scanned: null });
    await sql.query(`DELETE FROM local_tags; UPDATE local_manifests SET pushed_at = ${pushedAt}`);
    if (parent !== '') {
      await tagged(parent);
      await sql.query(
        `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
         VALUES ('team/image', 'index', 'm', 1, 1, '{}', now());
         INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
         VALUES ('team/image', 'index', 'image', 1, true)`,
      );
    }
    expect(await first()).toBe(expected);
  });

  it('that failed for good is known, and is tried again with the next database alone', async () => {
    await tagged('image', { scanned: null });
    const taken = await store.rescans.claimFirst(NOW);
    if (taken) await store.rescans.fail(taken, { code: 'X', message: 'x' }, false);
    const failed = { report: null, failedScanIn: 'all' };
    expect((await store.reports.facts(['image'])).get('image')).toMatchObject(failed);
    expect(await first()).toBeNull();
    expect(await store.rescans.claimFirst(LATER)).toMatchObject({ digest: 'image' });
    expect((await store.reports.facts(['image'])).get('image')).toMatchObject(failed);
  });
});

it('accounts take turns with their scans on demand', async () => {
  const other = await store.users.insert({ username: 'bob', passwordHash: null });
  const scan = (requestedById: string, digest: string) =>
    store.scans.insert({
      ...{ registryId: '__local__', repository: 'team/a', reference: digest, digest },
      ...{ requestedById, state: 'queued' as const },
    });
  for (const digest of ['a1', 'a2', 'a3']) await scan(owner.id, digest);
  await scan(other.id, 'b1');
  const claimed = [];
  for (let n = 0; n < 4; n += 1) claimed.push((await store.scans.claim())?.digest);
  expect(claimed).toEqual(['a1', 'b1', 'a2', 'a3']);
});

describe('an image without a tag', () => {
  const DAY_MS = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

  async function untagged(digest: string, pushed: Date, pulledAt: Date | null): Promise<void> {
    await tagged(digest);
    await sql.query('DELETE FROM local_tags WHERE digest = $1', [digest]);
    await sql.query('UPDATE local_manifests SET pushed_at = $1 WHERE digest = $2', [
      pushed,
      digest,
    ]);
    if (pulledAt)
      await sql.query('INSERT INTO image_pulls (digest, pulled_at) VALUES ($1, $2)', [
        digest,
        pulledAt,
      ]);
  }

  it.each<[string, Date, Date | null, string[]]>([
    ['pulled lately', ago(400), ago(1), ['pinned-1']],
    ['pushed lately', ago(1), null, ['pinned-2']],
    ['pulled long ago', ago(400), ago(100), []],
    ['never pulled', ago(400), null, []],
  ])('that was %s is scanned again with a newer database: %#', async (name, pushed, at, found) => {
    const digest = found[0] ?? `old ${name}`;
    await untagged(digest, pushed, at);
    expect(await all()).toEqual(found);
  });

  it('that a tagged index has is scanned with it', async () => {
    await untagged('part', ago(1), ago(1));
    await tagged('index');
    await sql.query(
      `INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
       VALUES ('team/index', 'index', 'part', 1, true)`,
    );
    await sql.query("UPDATE local_manifests SET repository = 'team/index' WHERE digest = 'part'");
    expect(await all()).toEqual(['index']);
  });
});
