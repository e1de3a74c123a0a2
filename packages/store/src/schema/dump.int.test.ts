import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  type DumpedTable,
  migrate,
  migrationNames,
  openStore,
  restoreDump,
  withDump,
} from '../index.ts';

let source: TestDatabase;
let target: TestDatabase;

beforeAll(async () => {
  [source, target] = await Promise.all([createDatabase(), createDatabase()]);
});
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()]);
});

async function* asTables(tables: [string, string[]][]): AsyncGenerator<DumpedTable> {
  for (const [name, all] of tables) {
    const lines = (async function* () {
      yield* all;
    })();
    yield { name, lines };
  }
}

interface ReadDump {
  migrations: string[];
  tables: [string, string[]][];
}

async function dumpOf(url: string): Promise<ReadDump> {
  return withDump(url, async ({ migrations, tables }) => {
    const read: [string, string[]][] = [];
    for (const { name, lines } of tables) read.push([name, await Readable.from(lines).toArray()]);
    return { migrations, tables: read };
  });
}

it('O16: restored jobs belong to no storage, and no storage of the backup is known', async () => {
  const from = openStore(source.url, sealer(Buffer.alloc(32, 1)));
  const owner = await from.users.insert({ username: 'kim', passwordHash: null });
  const registry = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const order = { ownerId: owner.id, image: 'a', tag: '1', source: registry };
  const { id } = await from.jobs.insert(order);
  const storage = randomUUID();
  await from.storages.beat(storage);
  const sql = await openSql(source.url);
  await sql.query('UPDATE staging_jobs SET storage_id = $1', [storage]);
  await sql.end();
  expect(await from.jobs.get(id)).toMatchObject({ storageId: storage });
  await from.close();

  const { migrations, tables } = await dumpOf(source.url);
  await restoreDump(target.url, { migrations, tables: asTables(tables) });

  const restored = openStore(target.url, sealer(Buffer.alloc(32, 1)));
  expect(await restored.jobs.get(id)).toMatchObject({ image: 'a', storageId: null });
  expect(await restored.storages.list()).toEqual([]);
  await restored.close();
});

/** The dump of the source, with a row that is cut short. */
async function brokenDump(): Promise<ReadDump> {
  const dump = await dumpOf(source.url);
  const [, rows = []] = dump.tables.find(([name]) => name === 'staging_jobs') ?? [];
  rows.push(rows.at(-1)?.slice(0, 20) ?? '');
  return dump;
}

async function usersOf(url: string): Promise<string[]> {
  const sql = await openSql(url);
  const { rows } = await sql.query<{ username: string }>('SELECT username FROM users ORDER BY 1');
  await sql.end();
  return rows.map(({ username }) => username);
}

it.each([
  [
    'breaks in the middle of a table',
    async () => {
      const { migrations, tables } = await brokenDump();
      return { migrations, tables: asTables(tables) };
    },
  ],
  [
    'has the tables of the first release and a table that this one lacks',
    async () => ({
      migrations: [(await migrationNames())[0] ?? ''],
      tables: asTables([['unknown', ['["a"]', '["1"]']]]),
    }),
  ],
  [
    'is refused when everything is loaded',
    async () => ({
      migrations: [...(await migrationNames())],
      tables: asTables([]),
      beforeCommit: () => Promise.reject(new Error('no')),
    }),
  ],
])('a dump that %s leaves the old data readable, and the next one replaces it', async (_, made) => {
  const old = await createDatabase();
  onTestFinished(() => old.stop());
  const store = openStore(old.url, sealer(Buffer.alloc(32, 1)));
  await store.users.insert({ username: 'old', passwordHash: null });
  await expect(restoreDump(old.url, await made())).rejects.toThrow();
  expect(await usersOf(old.url)).toEqual(['old']);
  await store.users.insert({ username: 'usable', passwordHash: null });
  expect(await migrate(old.url)).toEqual([]);
  await store.close();
  const { migrations, tables } = await dumpOf(source.url);
  await restoreDump(old.url, { migrations, tables: asTables(tables) });
  expect(await usersOf(old.url)).toEqual(await usersOf(source.url));
});

it('a restore does not wait for ever for a table that another session uses, and names it', async () => {
  const holder = await openSql(target.url);
  onTestFinished(() => holder.end());
  await holder.query("SET application_name = 'a report of the finance team'");
  await holder.query('BEGIN');
  await holder.query('SELECT count(*) FROM users');
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  const { migrations, tables } = await dumpOf(source.url);
  const restored = () =>
    restoreDump(target.url, { migrations, tables: asTables(tables), lockWait: '200ms' });
  const refused = await restored().catch((error) => error);
  expect(refused).toMatchObject({ kind: 'unavailable', code: 'DATABASE_LOCKED' });
  expect(refused.message).toContain(
    `process ${rows[0].pid} of PostgreSQL (“a report of the finance team”, idle in transaction) uses users`,
  );
  // The database is as it was.
  expect((await holder.query('SELECT count(*) FROM users')).rows).toHaveLength(1);
  await holder.query('COMMIT');
  await restored();
});
