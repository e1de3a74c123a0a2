import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startPostgres, type TestServer } from '@portcullis/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertSchema, migrate } from '../index.ts';

let server: TestServer;
let url: string;
let dir: string;
let serial = 0;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

beforeEach(async () => {
  const name = `fresh${++serial}`;
  await query(server.url, `CREATE DATABASE ${name}`);
  url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  dir = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  return () => rm(dir, { recursive: true });
});

async function query(database: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

async function migration(name: string, sql: string): Promise<void> {
  await mkdir(path.join(dir, name), { recursive: true });
  await writeFile(path.join(dir, name, 'migration.sql'), sql);
}

/** Terminates the server processes of migrations that wait for a table. Returns their number. */
async function terminateWaiting(): Promise<number | null> {
  const waiting = `application_name = 'portcullis migrate' AND wait_event = 'relation'`;
  const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND ${waiting}`;
  return (await query(url, ended)).rowCount;
}

describe('migrate', () => {
  it('applies everything once, in order, however many processes start at once', async () => {
    await migration('2_b', 'ALTER TABLE t ADD COLUMN b int');
    await migration('1_a', 'CREATE TABLE t (a int)');
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, { dir })));
    // Each may be applied by another of them; the second one fails before the first one.
    expect(applied.flat().toSorted()).toEqual(['1_a', '2_b']);
    expect(await migrate(url, { dir })).toEqual([]);
  });

  it('a failed migration leaves no partial change, and prevents the next start too', async () => {
    await migration('1_a', 'CREATE TABLE t (a int); CREATE TABLE t (a int)');
    await expect(migrate(url, { dir })).rejects.toMatchObject({ code: 'MIGRATION_FAILED' });
    expect((await query(url, `SELECT to_regclass('t') AS t`)).rows).toEqual([{ t: null }]);
    await expect(migrate(url, { dir })).rejects.toMatchObject({ code: 'MIGRATION_FAILED' });
  });

  it('a migration that was killed half-way is applied by the next start', async () => {
    await migration('1_a', 'CREATE TABLE t (a int)');
    await migrate(url, { dir });
    await migration('2_b', 'CREATE TABLE u (b int); ALTER TABLE t ADD COLUMN b int');
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM t');
    const killed = expect(migrate(url, { dir })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    await expect.poll(terminateWaiting).toBe(1);
    await killed;
    await reader.end();
    expect(await migrate(url, { dir })).toEqual(['2_b']);
  });

  it('refuses a migration that was edited after it was applied', async () => {
    await migration('1_a', 'CREATE TABLE t (a int)');
    await migrate(url, { dir });
    await migration('1_a', 'CREATE TABLE t (b int)');
    await expect(migrate(url, { dir })).rejects.toMatchObject({ code: 'MIGRATION_EDITED' });
  });

  it("leaves a database that Prisma's own tool finds up to date, and the schema has no drift", async () => {
    await migrate(url);
    const packageDir = path.resolve(import.meta.dirname, '../..');
    const prisma = path.join(packageDir, 'node_modules/prisma/build/index.js');
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [prisma, 'migrate', ...args], {
        cwd: packageDir,
        env: { ...process.env, DATABASE_URL: url },
      });
    expect((await run('status')).stdout).toContain('up to date');
    // Exits with 2 where the migrations and the schema differ.
    const schema = path.resolve(packageDir, '../../prisma/schema.prisma');
    await run('diff', '--from-config-datasource', '--to-schema', schema, '--exit-code');
  });
});

describe('a database of another release', () => {
  const FUTURE = '20991231000000_future';

  async function applyFuture(header: string): Promise<void> {
    const real = path.resolve(import.meta.dirname, '../../../../prisma/migrations');
    await cp(real, dir, { recursive: true });
    await migration(FUTURE, `${header}\nALTER TABLE users ADD COLUMN later int`);
    await migrate(url, { dir });
  }

  it('is refused where its tables lack a migration', async () => {
    await expect(assertSchema(url)).rejects.toMatchObject({ code: 'DATABASE_NOT_MIGRATED' });
    await migrate(url);
    await assertSchema(url);
  });

  it('is refused where a newer one changed the tables, by the processes and by `migrate` (O7)', async () => {
    await applyFuture('');
    const refused = { code: 'DATABASE_NEWER', message: expect.stringContaining(FUTURE) };
    await expect(assertSchema(url)).rejects.toMatchObject(refused);
    await expect(migrate(url)).rejects.toMatchObject(refused);
  });

  it.each([
    ['runs on', '20261128000000_init', true],
    ['is refused by', '20991230000000_between', false],
  ])('%s tables whose oldest release has the migration %s', async (_, since, runs) => {
    await applyFuture(`-- runs-since: ${since}`);
    const asserted = assertSchema(url);
    if (runs) await asserted;
    else await expect(asserted).rejects.toMatchObject({ code: 'DATABASE_NEWER' });
  });
});
