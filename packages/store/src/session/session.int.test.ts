/** Databases, roles and servers that are not set up as a fresh PostgreSQL is. */
import { randomBytes } from 'node:crypto';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import type pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { assertSchema, migrate, openStore, type Store, withDump } from '../index.ts';

function storeOf(url: string): Store {
  const store = openStore(url, sealer(Buffer.alloc(32, 7)));
  onTestFinished(() => store.close());
  return store;
}

async function database(): Promise<TestDatabase & { name: string; sql: pg.Client }> {
  const made = await createDatabase();
  onTestFinished(() => made.stop());
  const sql = await openSql(made.url);
  onTestFinished(() => sql.end());
  return { ...made, name: new URL(made.url).pathname.slice(1), sql };
}

const CLOCKS: Record<string, readonly string[]> = {
  'whose time zone is Asia/Tokyo': [`timezone = 'Asia/Tokyo'`],
  'whose time zone is America/Sao_Paulo': [`timezone = 'America/Sao_Paulo'`],
  'whose time zone has half an hour': [`timezone = 'Asia/Kolkata'`],
  'that writes dates as in Germany': [`datestyle = 'German, DMY'`, `timezone = 'Europe/Berlin'`],
  'that writes dates as in America': [`datestyle = 'SQL, MDY'`, `timezone = 'America/New_York'`],
};

it.each(Object.entries(CLOCKS))(
  'a database %s holds the moments that were',
  async (_, settings) => {
    const { url, name, sql } = await database();
    for (const setting of settings) await sql.query(`ALTER DATABASE ${name} SET ${setting}`);
    const store = storeOf(url);
    const { id } = await store.users.insert({ username: 'kim', passwordHash: null });
    const expiresAt = new Date(Date.now() + 60_000);
    await store.sessions.insert({ userId: id, expiresAt });
    const { rows } = await sql.query<{ made: number; end: number }>(
      `SELECT extract(epoch FROM (SELECT created_at FROM users) - now())::float AS made,
            extract(epoch FROM (SELECT expires_at FROM sessions))::float AS end`,
    );
    expect(Math.abs(rows[0]?.made ?? Number.NaN)).toBeLessThan(60);
    expect(rows[0]?.end).toBeCloseTo(expiresAt.getTime() / 1000, 2);
    // What the database's own clock wrote is read as the same moment.
    await sql.query('UPDATE users SET created_at = now()');
    const read = await store.users.get(id);
    expect(Math.abs(read.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
  },
);

interface Home {
  schema: string;
  prepare: (role: string) => string[];
  query?: string;
}

const HOMES: Record<string, Home> = {
  'of the name of the account': {
    schema: '$user',
    prepare: (role) => [`CREATE SCHEMA AUTHORIZATION ${role}`],
  },
  'that search_path of the account names': {
    schema: 'images',
    prepare: (role) => [
      `CREATE SCHEMA images AUTHORIZATION ${role}`,
      `ALTER ROLE ${role} SET search_path = images`,
    ],
  },
  'that ?schema= names': {
    schema: 'Images-2',
    prepare: (role) => [`CREATE SCHEMA "Images-2" AUTHORIZATION ${role}`],
    query: '?schema=Images-2',
  },
  'that ?schema= names and that does not exist yet': {
    schema: 'made',
    prepare: (role) => [`GRANT CREATE ON DATABASE ${role} TO ${role}`],
    query: '?schema=made',
  },
};

/** An empty database, in which the account of the URL has no right in `public`. */
async function accountWithout(prepare: (role: string) => string[], query = '') {
  const { url, sql: admin } = await database();
  const role = `role_${randomBytes(5).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${role}`);
  const own = Object.assign(new URL(url), { pathname: `/${role}` });
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p@:/?#'`);
  const sql = await openSql(own.href);
  onTestFinished(async () => {
    await sql.end();
    await admin.query(`DROP DATABASE ${role} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${role}`);
  });
  for (const statement of prepare(role)) await sql.query(statement);
  const address = new URL(`${own.href}${query}`);
  address.username = role;
  address.password = encodeURIComponent('p@:/?#');
  return { url: address.href, role, sql };
}

it.each(Object.entries(HOMES))('everything is in the schema %s', async (_, home) => {
  const { url, role, sql } = await accountWithout(home.prepare, home.query);
  // Another program that Prisma migrates has its tables in `public`.
  await sql.query('CREATE TABLE public._prisma_migrations (id int)');
  await sql.query('CREATE TABLE public.users (id int)');
  await migrate(url);
  await assertSchema(url);
  const store = storeOf(url);
  await store.users.insert({ username: 'kim', passwordHash: null });
  await store.ping();
  await store.outbox.waiting();
  await withDump(url, async ({ tables }) => {
    expect(tables.map(({ name }) => name)).toContain('staging_jobs');
  });
  const { rows } = await sql.query<{ schema: string }>(
    `SELECT DISTINCT schemaname AS schema FROM pg_tables WHERE tablename IN ('staging_jobs', 'settings')`,
  );
  expect(rows).toEqual([{ schema: home.schema === '$user' ? role : home.schema }]);
});

it.each([
  ['may not create in public', () => [], '', 'may not create tables in the schema "public"'],
  [
    'has a search_path that names no schema',
    (role: string) => [`ALTER ROLE ${role} SET search_path = gone`],
    '',
    'names no schema that exists',
  ],
  ['may not create the schema of ?schema=', () => [], '?schema=absent', '"absent"'],
])('an account that %s is refused with the remedy', async (_, prepare, query, said) => {
  const { url } = await accountWithout(prepare, query);
  await expect(migrate(url)).rejects.toMatchObject({
    code: 'SCHEMA_FORBIDDEN',
    message: expect.stringContaining(said),
  });
});

it('connections with a server that became read-only are closed, and the next ones write', async () => {
  const { url, name, sql } = await database();
  await sql.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const store = storeOf(url);
  const refused = { code: 'DATABASE_READ_ONLY' };
  await expect(store.ping()).rejects.toMatchObject(refused);
  const insert = (username: string) => store.users.insert({ username, passwordHash: null });
  await expect(insert('kim')).rejects.toMatchObject(refused);
  await sql.query(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  // A session that began before the change would stay read-only for ever.
  await store.ping();
  await insert('kim');
  await Promise.all(['a', 'b', 'c', 'd'].map(insert));
});

it('a store that began before its database could be reached works afterwards', async () => {
  const { url, name, sql } = await database();
  const late = `${name}_late`;
  const store = storeOf(Object.assign(new URL(url), { pathname: `/${late}` }).href);
  await expect(store.ping()).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringContaining('does not exist'),
  });
  const other = await openSql(Object.assign(new URL(url), { pathname: '/postgres' }).href);
  onTestFinished(() => other.end());
  await sql.end();
  await other.query(`CREATE DATABASE ${late} TEMPLATE ${name}`);
  onTestFinished(async () => {
    await store.close();
    await other.query(`DROP DATABASE ${late} WITH (FORCE)`);
  });
  await store.ping();
});

it('a migration says who holds its lock, and does not wait for ever', async () => {
  const { url, sql } = await database();
  const { rows } = await sql.query<{ pid: number }>(
    'SELECT pg_backend_pid() AS pid FROM (SELECT pg_advisory_lock(72707369)) AS held',
  );
  const said: string[] = [];
  await expect(
    migrate(url, { patienceMs: 300, onWait: (text) => said.push(text) }),
  ).rejects.toMatchObject({
    code: 'DATABASE_LOCKED',
    message: expect.stringContaining(`process ${rows[0]?.pid}`),
  });
  expect(said).toHaveLength(1);
  await sql.query('SELECT pg_advisory_unlock_all()');
  expect(await migrate(url)).toEqual([]);
});
