/** Upgrade of an installation of the first release: its data is kept, and the store works on it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UNLIMITED_SCOPES } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { startPostgres, type TestServer } from '@portcullis/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, migrationNames, openStore, type Store } from '../index.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../test/first-release.sql');

const TIMELINE_KINDS = '20261122174500_timeline_kinds';
const WANTED = 'the scan needs layers that were left at their source';
/** Jobs as the release before the kinds wrote them. */
const TIMELINES = {
  '05a00000-0000-7000-8000-00000000000a': { auto: true, notes: [null, WANTED] },
  '05a00000-0000-7000-8000-00000000000b': { auto: true, notes: [null, WANTED, 'retried'] },
  '05a00000-0000-7000-8000-00000000000c': { auto: false, notes: [null, "the host's disk is full"] },
};

let server: TestServer;
let store: Store;
let before: Record<string, unknown[]>;

beforeAll(async () => {
  server = await startPostgres();
  const [first = ''] = await migrationNames();
  expect(await migrate(server.url, { only: new Set([first]) })).toEqual([first]);
  await query(await readFile(FIXTURE, 'utf8'));
  before = await everything();
  expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
  const rest = (await migrationNames()).filter((name) => name !== first);
  const beforeKinds = rest.slice(0, rest.indexOf(TIMELINE_KINDS));
  expect(await migrate(server.url, { only: new Set(beforeKinds) })).toEqual(beforeKinds);
  for (const [id, { auto, notes }] of Object.entries(TIMELINES))
    await query(jobWithNotes(id, auto, notes));
  expect(await migrate(server.url)).toEqual(rest.filter((name) => !beforeKinds.includes(name)));
  store = openStore(server.url, sealer(Buffer.alloc(32, 1)));
});

afterAll(async () => {
  await store.close();
  await server.stop();
});

function jobWithNotes(id: string, auto: boolean, notes: (string | null)[]): string {
  const at = '2026-01-03T00:00:00.000Z';
  const timeline = notes.map((note) => ({ at, status: 'pull_queued', note }));
  const text = JSON.stringify(timeline).replaceAll("'", "''");
  return `INSERT INTO staging_jobs (id, owner_id, status, image, tag, source, progress, overrides, auto, timeline)
    SELECT '${id}', owner_id, 'cancelled', image, tag, source, progress, overrides, ${auto}, '${text}'
      FROM staging_jobs LIMIT 1`;
}

/** Later releases add keys to a row, and to the entries of its timeline. */
function kept(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const timeline = 'timeline' in row && Array.isArray(row.timeline) ? row.timeline : null;
  const entries = timeline?.map((entry) => expect.objectContaining(entry));
  return expect.objectContaining({ ...row, ...(entries && { timeline: entries }) });
}

async function query(text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** All rows by table. */
async function everything(): Promise<Record<string, unknown[]>> {
  const { rows } = await query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname <> '_prisma_migrations'`,
  );
  const tables: Record<string, unknown[]> = {};
  for (const { name } of rows)
    tables[name] = (await query(`SELECT to_jsonb(t) AS row FROM "${name}" t ORDER BY 1`)).rows.map(
      ({ row }) => row,
    );
  return tables;
}

it('no row and no value of the first release is lost', async () => {
  const after = await everything();
  // The statements of migrations on compatible releases.
  const settings = after.settings?.filter(
    (row) => JSON.stringify(row).includes('"key":"schema"') === false,
  );
  const added = Object.keys(TIMELINES);
  const jobs = after.staging_jobs?.filter(
    (row) => !added.some((id) => JSON.stringify(row).includes(id)),
  );
  const changed: Record<string, unknown[] | undefined> = { settings, staging_jobs: jobs };
  for (const [name, rows] of Object.entries(before)) {
    const found = changed[name] ?? after[name];
    expect(found, name).toEqual(rows.map(kept));
  }
});

it('accounts, groups and rights are unchanged', async () => {
  const kim = await store.users.findByUsername('KIM');
  expect(kim).toMatchObject({ username: 'Kim', isAdmin: true, passwordHash: '$2b$12$old' });
  expect(await store.groups.of(kim?.id ?? '')).toMatchObject([{ name: 'team' }]);
  expect((await store.folders.list()).items.map(({ name }) => name)).toContain('shop');
});

it('jobs continue: lists show them, and a worker can begin a waiting one', async () => {
  const { items } = await store.jobs.list({});
  expect(items.map(({ status }) => status)).toEqual(
    expect.arrayContaining(['pull_queued', 'pushed']),
  );
  const waiting = items.find(({ status }) => status === 'pull_queued');
  expect(await store.jobs.begin(waiting?.id ?? '', 'pull', 'w1')).toMatchObject({
    status: 'pulling',
  });
});

it.each([
  [
    'lacks layers',
    '05a00000-0000-7000-8000-00000000000a',
    'complete',
    [{ kind: 'status_changed' }, { kind: 'layers_missing' }],
  ],
  [
    'was retried since',
    '05a00000-0000-7000-8000-00000000000b',
    'lazy',
    [{ kind: 'status_changed' }, { kind: 'layers_missing' }, { kind: 'retried' }],
  ],
  [
    'a person staged',
    '05a00000-0000-7000-8000-00000000000c',
    'eager',
    [{ kind: 'status_changed' }, { kind: 'noted', message: "the host's disk is full" }],
  ],
  [
    'is pushed',
    '05a00000-0000-7000-8000-000000000001',
    'eager',
    [
      { kind: 'status_changed' },
      { kind: 'push_requested', destination: 'localhost:5000/team/alpine:3.20' },
    ],
  ],
])(
  'the timeline of a job that %s has kinds, and its pull mode a column',
  async (_, id, pullMode, timeline) => {
    expect(await store.jobs.get(id)).toMatchObject({ pullMode, timeline });
  },
);

it('an entry of an older release that runs concurrently is shown as written', async () => {
  const id = '05a00000-0000-7000-8000-00000000000a';
  await query(`UPDATE staging_jobs SET pull_mode = NULL, timeline =
    '[{"at": "2026-01-03T00:00:00.000Z", "status": "failed", "note": "no such image"}]' WHERE id = '${id}'`);
  const job = await store.jobs.update(id, (row) => ({ ...row, attempts: 1 }));
  expect(job).toMatchObject({
    pullMode: 'lazy',
    timeline: [{ kind: 'noted', message: 'no such image' }],
  });
  const { rows } = await query(
    `SELECT timeline->0->>'note' AS note FROM staging_jobs WHERE id = '${id}'`,
  );
  expect(rows).toEqual([{ note: 'no such image' }]);
});

it('registries, settings and the audit archive are read as before', async () => {
  expect(await store.registries.list()).toMatchObject([{ name: 'hub', hasPassword: true }]);
  expect(await store.settings.find('policy')).toEqual({ severities: ['CRITICAL'] });
  expect((await store.audit.list({})).items).toMatchObject([{ event: 'auth.login' }]);
});

it('new features work on old rows', async () => {
  const kim = await store.users.findByUsername('kim');
  const token = { userId: kim?.id ?? '', name: 'ci', scope: UNLIMITED_SCOPES.api, hint: 'pct_a…b' };
  await store.tokens.insert({ ...token, hash: 'h', expiresAt: new Date(Date.now() + 60_000) });
  expect(await store.tokens.list(token.userId)).toMatchObject([{ name: 'ci' }]);
  await store.users.remove((await store.users.findByUsername('dev'))?.id ?? '');
  expect((await store.users.list()).total).toBe(1);
});
