/**
 * Dumps all rows of all tables as JSON lines in one snapshot, and restores them. PostgreSQL itself
 * writes and reads each value as text, because neither JavaScript nor PostgreSQL's JSON can
 * represent everything that a column may hold.
 */
import { conflict } from '@portcullis/errors';
import type pg from 'pg';
import { sessionTarget } from '../session/session.ts';
import { connected } from './connected.ts';
import { migrateWithin } from './migrate.ts';
import { migrationNames } from './migration-files.ts';
import { lockMigrations } from './migration-lock.ts';
import { assertNotRestoring, MARK_TABLE } from './restore-mark.ts';
import { lockTables } from './table-locks.ts';
import { ensureSchema, hasTable } from './tables.ts';

export interface DumpedTable {
  name: string;
  /** JSON arrays of texts: the column names, then one per row. */
  lines: AsyncIterable<string>;
}

export interface Dump {
  migrations: string[];
  /**
   * Referenced tables come before those that refer to them. They must be read one after the other.
   */
  tables: DumpedTable[];
}

/** As written by `rowsOf`. */
type Row = (string | null)[];

const FETCH = 500;
/** Bound on the characters of one statement. */
const BATCH = 4_000_000;

/** Reads a snapshot: later writes are not in it. @throws conflict `RESTORE_UNFINISHED` */
export async function withDump<T>(
  databaseUrl: string,
  work: (dump: Dump) => Promise<T>,
): Promise<T> {
  return connected(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await client.query('SET LOCAL statement_timeout = 0');
    await assertNotRestoring(client);
    const names = await tableNames(client);
    const tables = names.map((name) => ({ name, lines: rowsOf(client, name) }));
    return work({ migrations: await appliedMigrations(client), tables });
  });
}

/** A database without accounts counts as unused. */
export async function hasAccounts(databaseUrl: string): Promise<boolean> {
  return connected(databaseUrl, async (client) => {
    if (!(await hasTable(client, 'users'))) return false;
    return (await client.query('SELECT 1 FROM users LIMIT 1')).rowCount !== 0;
  });
}

/**
 * @throws conflict `BACKUP_NEWER`: made by a release with migrations that this one does not know
 */
export async function assertKnownMigrations(migrations: readonly string[]): Promise<void> {
  const known = new Set(await migrationNames());
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw conflict(
    'BACKUP_NEWER',
    `it was made by a newer release (${unknown.join(', ')}); restore it with that one`,
  );
}

export interface RestoreOptions {
  migrations: readonly string[];
  tables: AsyncIterable<DumpedTable>;
  /** Runs when everything is loaded: what it throws leaves the database as it was. */
  beforeCommit?: (() => Promise<void>) | undefined;
  /** How long it waits for a table that another session uses, as PostgreSQL writes it. */
  lockWait?: string | undefined;
}

/**
 * Replaces everything in one transaction: the tables are created as they were at the dump, filled,
 * and then migrated. A failed or killed run leaves the database as it was. Meanwhile the tables are
 * locked, and the disk holds the old and the new ones.
 * @throws unavailable `DATABASE_LOCKED`, which names the sessions that use a table
 */
export async function restoreDump(
  databaseUrl: string,
  { migrations, tables, beforeCommit, lockWait }: RestoreOptions,
): Promise<void> {
  await assertKnownMigrations(migrations);
  await connected(databaseUrl, async (client) => {
    await ensureSchema(client, sessionTarget(databaseUrl).schema);
    await client.query('BEGIN');
    await lockMigrations(client);
    await client.query('SET LOCAL statement_timeout = 0');
    await dropTables(client, lockWait);
    await migrateWithin(client, new Set(migrations));
    await load(client, tables);
    await migrateWithin(client);
    await forgetStorages(client);
    await beforeCommit?.();
    await client.query('COMMIT');
  });
}

/** The workers' directories belong to this installation: the backup's images are in any of them. */
async function forgetStorages(client: pg.Client): Promise<void> {
  await client.query('UPDATE staging_jobs SET storage_id = NULL WHERE storage_id IS NOT NULL');
  await client.query('DELETE FROM storages');
}

async function load(client: pg.Client, tables: AsyncIterable<DumpedTable>): Promise<void> {
  const known = await tableNames(client);
  // Migrations may have inserted rows.
  await client.query(`TRUNCATE ${known.map(quote).join(', ')}`);
  for await (const { name, lines } of tables) {
    if (!known.includes(name))
      throw conflict('BACKUP_DAMAGED', `the backup holds an unknown table ${name}`);
    await loadTable(client, name, lines);
  }
}

async function loadTable(
  client: pg.Client,
  name: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  let statement: string | null = null;
  for await (const batch of batched(lines)) {
    const rows = batch.map((line): Row => JSON.parse(line));
    statement ??= await insertion(client, name, rows.shift() ?? []);
    const width = rows[0]?.length ?? 0;
    // One array parameter per column, however many rows.
    const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null));
    if (rows.length > 0) await client.query(statement, columns);
  }
}

async function insertion(client: pg.Client, name: string, given: Row): Promise<string> {
  const types = await columnTypes(client, name);
  const columns = given.map((column) => ({
    column: quote(column ?? ''),
    type: types.get(column ?? ''),
  }));
  if (columns.some(({ type }) => type === undefined))
    throw conflict('BACKUP_DAMAGED', `the backup's table ${name} has a column that there is not`);
  const into = columns.map(({ column }) => column).join(', ');
  const values = columns.map(({ type }, at) => `v${at}::${type}`).join(', ');
  const arrays = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const names = columns.map((_, at) => `v${at}`).join(', ');
  return `INSERT INTO ${quote(name)} (${into}) SELECT ${values} FROM unnest(${arrays}) AS u(${names})`;
}

async function* batched(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let size = 0;
  for await (const line of lines) {
    batch.push(line);
    size += line.length;
    if (size < BATCH) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function* rowsOf(client: pg.Client, name: string): AsyncGenerator<string> {
  const columns = [...(await columnTypes(client, name)).keys()];
  yield JSON.stringify(columns);
  const texts = columns.map((column) => `${quote(column)}::text`).join(', ');
  await client.query(`DECLARE dump NO SCROLL CURSOR FOR SELECT ${texts} FROM ${quote(name)}`);
  for (;;) {
    const { rows } = await client.query({ text: `FETCH ${FETCH} FROM dump`, rowMode: 'array' });
    for (const row of rows) yield JSON.stringify(row);
    if (rows.length < FETCH) break;
  }
  await client.query('CLOSE dump');
}

/** In the order of the table. */
async function columnTypes(client: pg.Client, name: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [quote(name)],
  );
  return new Map(rows.map((row) => [row.name, row.type]));
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations"
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const TABLES = `
  SELECT c.relname AS name,
         array(SELECT f.confrelid::regclass::text FROM pg_constraint f
               WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS needs
  FROM pg_class c
  WHERE c.relkind = 'r' AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    AND c.relname NOT IN ('_prisma_migrations', '${MARK_TABLE}')
  ORDER BY c.relname`;

/** Referenced tables first. */
async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(TABLES);
  const ordered: string[] = [];
  while (ordered.length < rows.length) {
    const next = rows.find(
      ({ name, needs }) =>
        !ordered.includes(name) && needs.every((need) => ordered.includes(bare(need))),
    );
    if (!next) throw conflict('TABLES_CYCLIC', 'tables refer to each other in a circle');
    ordered.push(next.name);
  }
  return ordered;
}

async function dropTables(client: pg.Client, lockWait: string | undefined): Promise<void> {
  const history = (await hasTable(client, '_prisma_migrations')) ? ['_prisma_migrations'] : [];
  const all = [...(await tableNames(client)), ...history].map(quote);
  await lockTables(client, all, lockWait);
  if (all.length > 0) await client.query(`DROP TABLE ${all.join(', ')} CASCADE`);
  // Functions that migrations created would conflict when they run again; those of extensions stay.
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure AS name FROM pg_proc p WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  for (const { name } of rows) await client.query(`DROP FUNCTION ${name}`);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `regclass` adds quotes where needed. */
function bare(name: string): string {
  return name.replace(/^"(.*)"$/, '$1').replaceAll('""', '"');
}
