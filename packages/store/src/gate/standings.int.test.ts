import { randomUUID } from 'node:crypto';
import { sealer } from '@portcullis/runtime';
import { createDatabase, everyItem, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanReport, reportWith } from '../../../../apps/api/src/registry/gate/report.fixture.ts';
import { type JudgedImageRow, openStore, type StandingRun, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;
let run: StandingRun;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  sql = await openSql(database.url);
  await store.folders.insertFolder({ name: 'team' });
  const claimed = await store.standings.claim();
  if (!claimed) throw new Error('no other process judges');
  run = claimed;
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

function digest(): string {
  return `sha256:${randomUUID().replaceAll('-', '').padEnd(64, '0')}`;
}

function row(name: string, change: Partial<JudgedImageRow> = {}): JudgedImageRow {
  return {
    ...{ repository: `team/${name}`, digest: digest(), folder: 'team', policy: 'default' },
    ...{ policyVersion: '1', policyDigest: 'd', waivers: [] },
    ...{ passes: false, verdict: 'blocked', code: 'VULN_BLOCKED', blocking: [], mark: 'm' },
    ...{
      waived: false,
      validUntil: null,
      reportAt: null,
      databaseAt: null,
      graceUntil: null,
      isChanged: true,
    },
    ...change,
  };
}

async function tagged(image: JudgedImageRow): Promise<void> {
  const at = new Date();
  await store.images.record({ ...image, tag: '1', manifests: [], at });
}

const none = async () => [];
const judgements = (...rows: JudgedImageRow[]) => ({ rows, records: [], events: [] });

it('a standing is saved together with the vulnerabilities that appeared, or not at all', async () => {
  const image = row('together');
  await tagged(image);
  const id = 'CVE-2026-77';
  const { vulnerabilities, ...rest } = reportWith([
    { id, severity: 'HIGH' },
    { id, severity: 'CRITICAL' },
  ]);
  const packaged = vulnerabilities.map(({ packages, ...each }) => ({
    ...each,
    packages: packages.map((one) => ({ ...one, name: `lib-${each.severity}` })),
  }));
  const report = { ...rest, vulnerabilities: packaged };
  await store.reports.record({ digest: image.digest, report, scannedAt: new Date() });
  const failing = store.standings.save(run, judgements(image), async () => {
    throw new Error('the worker ends here');
  });
  await expect(failing).rejects.toThrow('the worker ends here');
  const saved = await sql.query('SELECT 1 FROM image_standings WHERE digest = $1', [image.digest]);
  expect(saved.rowCount).toBe(0);
  const appeared: string[][] = [];
  const save = () =>
    store.standings.save(run, judgements(image), async (found) => {
      appeared.push(found.map(({ vulnerability, severity }) => `${vulnerability} ${severity}`));
      return [];
    });
  expect([await save(), await save()]).toEqual([0, 0]);
  expect(appeared).toEqual([['CVE-2026-77 CRITICAL'], []]);
});

it('nothing is saved for a worker that lost its lease', async () => {
  const image = row('fenced');
  const lost = { ...run, attempts: run.attempts - 1 };
  const events = () => Promise.reject(new Error('never called'));
  expect(await store.standings.save(lost, judgements(image), events)).toBeNull();
});

it('changes are paged, newest first, and each appears once', async () => {
  const since = new Date(Date.now() - 1_000);
  const rows = Array.from({ length: 7 }, (_, nth) => row(`page-${nth}`));
  for (const image of rows) await tagged(image);
  await store.standings.save(run, judgements(...rows), none);
  const changes = await everyItem((cursor) =>
    store.standings.changes({ folders: ['team'], since, limit: 3, cursor }),
  );
  const seen = changes.map(({ repository }) => repository);
  expect(seen.filter((name) => name.startsWith('team/page-'))).toEqual(
    rows.map(({ repository }) => repository).sort(),
  );
  expect(new Set(seen).size).toBe(seen.length);
  for (const wrong of ['%', Buffer.from('[1,"a"]').toString('base64url')])
    await expect(
      store.standings.changes({ folders: 'all', since, cursor: wrong }),
    ).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
});

it('the counts say how many are blocked and still served, until when, and on how old a database', async () => {
  const [soon, later] = [new Date(Date.now() + 60_000), new Date(Date.now() + 120_000)];
  const over = new Date(Date.now() - 1_000);
  await sql.query('DELETE FROM image_standings');
  await store.standings.save(
    run,
    judgements(
      row('soon', { graceUntil: soon, databaseAt: '2026-11-02T00:00:00Z' }),
      row('later', { graceUntil: later, databaseAt: '2026-11-01T00:00:00.123456789Z' }),
      row('over', { graceUntil: over, databaseAt: 'unknown' }),
      row('fine', { passes: true }),
      row('waits', { passes: null }),
    ),
    none,
  );
  expect(await store.standings.counts()).toEqual({
    ...{ passes: 1, blocked: 3, pending: 1, inGrace: 2, graceEndsAt: soon },
    oldestDatabaseAt: new Date('2026-11-01T00:00:00.123Z'),
  });
});

it('the manifests of an index are due with it', async () => {
  const [index, part] = [row('index'), digest()];
  const { repository } = index;
  const manifest = {
    ...{ digest: index.digest, mediaType: 'application/vnd.oci.image.index.v1+json' },
    ...{ artifactType: null, subject: null, size: 1, platforms: ['linux/amd64'] },
    contents: [
      { digest: part, size: 1, isManifest: true },
      // A mirror has not brought it in.
      { digest: digest(), size: 0, isManifest: true },
      { digest: digest(), size: 1, isManifest: false },
    ],
  };
  const place = { repository, digest: index.digest, tag: '1', at: new Date() };
  const image = {
    ...manifest,
    digest: part,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    contents: [],
  };
  await store.images.record({ ...place, manifests: [image, manifest] });
  await store.reports.record({
    digest: index.digest,
    report: cleanReport(),
    scannedAt: new Date(),
  });
  const due = await store.standings.due({ folders: new Map(), otherwise: 'm' }, 1_000);
  expect(due.find((each) => each.repository === repository)?.parts).toEqual([part]);
});

it('a list of tags reads since when each image is blocked, and until when it is served', async () => {
  const graceUntil = new Date(Date.now() + 60_000);
  const [blocked, never] = [row('announced', { graceUntil }), digest()];
  await tagged(blocked);
  const begin = Date.now();
  const announced = async () => {
    await store.standings.save(run, judgements(blocked), none);
    const rows = await store.standings.announced(blocked.repository, [blocked.digest, never]);
    return new Map(rows.map((each) => [each.digest, each]));
  };
  const first = await announced();
  const { since } = first.get(blocked.digest) ?? {};
  expect(first.get(blocked.digest)).toMatchObject({ passes: false, graceUntil, isArtifact: false });
  expect(since?.getTime()).toBeGreaterThan(begin - 1_000);
  const nothing = { isArtifact: false, passes: null, since: null, graceUntil: null };
  expect(first.get(never)).toEqual({ digest: never, ...nothing });
  expect((await announced()).get(blocked.digest)?.since).toEqual(since);
});
