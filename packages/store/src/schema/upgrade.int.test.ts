/** An installation of the first release, brought up to date: what people had is there, and the store works on it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
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
  const [first = ''] = await migrationNames();
  expect(await migrate(server.url, { only: new Set([first]) })).toEqual([first]);
  await query(await readFile(FIXTURE, 'utf8'));
  before = await everything();
  expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
  const rest = (await migrationNames()).filter((name) => name !== first);
  expect(await migrate(server.url)).toEqual(rest);
  store = openStore(server.url, sealer(Buffer.alloc(32, 1)));
});

afterAll(async () => {
  await store.close();
  await server.stop();
});

async function query(text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** Every row of every table, by table. */
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
  // What migrations say of the releases that run on their tables.
  const settings = after.settings?.filter(
    (row) => JSON.stringify(row).includes('"key":"schema"') === false,
  );
  for (const [name, rows] of Object.entries(before)) {
    const found = name === 'settings' ? settings : after[name];
    expect(found, name).toEqual(rows.map((row) => expect.objectContaining(row)));
  }
});

it('accounts, groups and rights hold as before', async () => {
  const kim = await store.users.findByUsername('KIM');
  expect(kim).toMatchObject({ username: 'Kim', isAdmin: true, passwordHash: '$2b$12$old' });
  expect(await store.groups.of(kim?.id ?? '')).toMatchObject([{ name: 'team' }]);
  expect((await store.folders.list()).items.map(({ name }) => name)).toContain('shop');
});

it('jobs go on: lists show them, and a worker can begin one that waited', async () => {
  const { items } = await store.jobs.list({});
  expect(items.map(({ status }) => status).sort()).toEqual(['pull_queued', 'pushed']);
  const waiting = items.find(({ status }) => status === 'pull_queued');
  expect(await store.jobs.begin(waiting?.id ?? '', 'pull', 'w1')).toMatchObject({
    status: 'pulling',
  });
});

it('registries, settings and the archive of the audit are read as before', async () => {
  expect(await store.registries.list()).toMatchObject([{ name: 'hub', hasPassword: true }]);
  expect(await store.settings.find('policy')).toEqual({ severities: ['CRITICAL'] });
  expect((await store.audit.list({})).items).toMatchObject([{ event: 'auth.login' }]);
});

it('what came since works on old rows', async () => {
  const kim = await store.users.findByUsername('kim');
  const token = { userId: kim?.id ?? '', name: 'ci', scope: 'api', hint: 'pct_a…b' } as const;
  await store.tokens.insert({ ...token, hash: 'h', expiresAt: new Date(Date.now() + 60_000) });
  expect(await store.tokens.list(token.userId)).toMatchObject([{ name: 'ci' }]);
  await store.users.remove((await store.users.findByUsername('dev'))?.id ?? '');
  expect((await store.users.list()).total).toBe(1);
});
