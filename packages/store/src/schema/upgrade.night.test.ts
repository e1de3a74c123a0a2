/** Upgrade of an installation of 0.1.0: its data is kept, and the store works on it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UNLIMITED_SCOPES } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { startPostgres, type TestServer } from '@portcullis/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, migrationNames, openStore, type Store } from '../index.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../test/first-release.sql');

let server: TestServer;
let store: Store;
let before: Record<string, unknown[]>;

beforeAll(async () => {
  server = await startPostgres();
  const [first = '', ...rest] = await migrationNames();
  expect(await migrate(server.url, { only: new Set([first]) })).toEqual([first]);
  await query(await readFile(FIXTURE, 'utf8'));
  before = await everything();
  const empty = Object.entries(before).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []));
  expect(empty).toEqual([]);
  expect(await migrate(server.url)).toEqual(rest);
  store = openStore(server.url, sealer(Buffer.alloc(32, 1)));
});

afterAll(async () => {
  await store.close();
  await server.stop();
});

/** Later releases add columns. */
function kept(row: unknown): unknown {
  return typeof row === 'object' && row !== null ? expect.objectContaining(row) : row;
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
  const changed: Record<string, unknown[] | undefined> = { settings };
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

it('registries, settings and the audit archive are read as before', async () => {
  expect(await store.registries.list()).toMatchObject([{ name: 'hub', hasPassword: true }]);
  expect(await store.settings.find('policy')).toEqual({ severities: ['CRITICAL'] });
  expect((await store.audit.list({})).items).toMatchObject([{ event: 'auth.login' }]);
});

it('reports are found by their digests and by their findings', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  expect((await store.reports.facts([digest])).get(digest)).toMatchObject({
    report: { facts: { coverage: 'full' }, counts: { HIGH: 1 } },
  });
  const { items } = await store.reports.search({ folders: 'all', package: 'musl' });
  expect(items).toMatchObject([{ repository: 'shop/alpine', tags: ['3.20'] }]);
});

it('new rows are written beside old ones', async () => {
  const kim = await store.users.findByUsername('kim');
  const token = { userId: kim?.id ?? '', name: 'ci', scope: UNLIMITED_SCOPES.api, hint: 'pct_a…b' };
  await store.tokens.insert({ ...token, hash: 'h', expiresAt: new Date(Date.now() + 60_000) });
  const names = (await store.tokens.list(token.userId)).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['ci', 'laptop']);
  await store.users.remove((await store.users.findByUsername('dev'))?.id ?? '');
  expect((await store.users.list()).total).toBe(1);
});
