/**
 * Applies prisma/migrations the way `prisma migrate deploy` does (same lock, same table, same
 * checksums), so that a process needs no command line tool or engine binary to start, and Prisma's
 * tool agrees with the result.
 */
import { randomUUID } from 'node:crypto';
import { conflict, unavailable } from '@portcullis/errors';
import type pg from 'pg';
import { unreachable } from '../database.ts';
import { sessionTarget } from '../session/session.ts';
import { connected } from './connected.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { isLockWait, LOCK_WAIT, type LockWait, lockMigrations } from './migration-lock.ts';
import { assertNotRestoring } from './restore-mark.ts';
import { assertNotNewer, recordRunsSince } from './schema-version.ts';
import { ensureSchema } from './tables.ts';

const CREATE_HISTORY = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

const HISTORY =
  'SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL';

interface Recorded {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

export interface MigrateOptions extends LockWait {
  dir?: string | undefined;
  /** Applies only these migrations: the tables as an earlier release had them. */
  only?: ReadonlySet<string> | undefined;
}

/**
 * Returns the names of the applied migrations. Safe when many processes start at once: one applies,
 * the others wait.
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<string[]> {
  const all = await readMigrations(options.dir);
  const migrations = all.filter(({ name }) => options.only?.has(name) ?? true);
  const known = all.map(({ name }) => name);
  const work = async (client: pg.Client) => {
    await ensureSchema(client, sessionTarget(databaseUrl).schema);
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations, { ...options, known });
      if (name === null) return applied;
      applied.push(name);
    }
  };
  return connected(databaseUrl, work, 'portcullis migrate');
}

/**
 * Applies the missing ones of these migrations, or of all, in the caller's transaction. The caller
 * holds the lock.
 */
export async function migrateWithin(client: pg.Client, only?: ReadonlySet<string>): Promise<void> {
  const migrations = (await readMigrations()).filter(({ name }) => only?.has(name) ?? true);
  await client.query(CREATE_HISTORY);
  const { rows } = await client.query<Recorded>(HISTORY);
  const applied = new Set(rows.map((row) => row.migration_name));
  for (const migration of migrations)
    if (!applied.has(migration.name)) await perform(client, migration);
}

/** Returns the name of the applied migration; null where none is missing. */
async function applyNext(
  client: pg.Client,
  migrations: Migration[],
  { known, ...wait }: LockWait & { known: readonly string[] },
): Promise<string | null> {
  await client.query('BEGIN');
  await lockMigrations(client, wait);
  // Of this transaction alone: a pooler may give the session to a process afterwards.
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  await assertNotRestoring(client);
  const missing = await firstMissing(client, migrations, known);
  if (missing) await apply(client, missing);
  else await client.query('COMMIT');
  return missing?.name ?? null;
}

async function firstMissing(
  client: pg.Client,
  migrations: Migration[],
  known: readonly string[],
): Promise<Migration | undefined> {
  await client.query(CREATE_HISTORY);
  const { rows } = await client.query<Recorded>(HISTORY);
  await assertNotNewer(client, { known, applied: rows.map((row) => row.migration_name) });
  return migrations.find((migration) => {
    const recorded = rows.find((row) => row.migration_name === migration.name);
    if (recorded) assertConsistent(recorded, migration);
    return recorded === undefined;
  });
}

function assertConsistent(
  { finished_at, checksum }: Recorded,
  { name, checksum: expected }: Migration,
): void {
  if (!finished_at)
    throw conflict(
      'MIGRATION_FAILED',
      `migration ${name} failed earlier; see _prisma_migrations.logs`,
    );
  if (checksum !== expected)
    throw conflict('MIGRATION_EDITED', `migration ${name} was edited after it was applied`);
}

/** The migration and its record are one transaction: a killed run leaves neither. */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, checksum } = migration;
  try {
    await perform(client, migration);
    await client.query('COMMIT');
  } catch (cause) {
    if (isLockWait(cause)) throw locked(name, cause);
    await recordFailure(client, { name, checksum, cause });
    throw conflict('MIGRATION_FAILED', `migration ${name} failed`, { cause });
  }
}

function locked(name: string, cause: unknown): Error {
  const text = `migration ${name} waited ${LOCK_WAIT} for a table that another session uses; stop the processes of the earlier release, or end the session that pg_stat_activity shows, and start again`;
  return unavailable('DATABASE_LOCKED', text, { cause });
}

async function perform(
  client: pg.Client,
  { name, sql, checksum, runsSince }: Migration,
): Promise<void> {
  await client.query(sql);
  if (runsSince !== name) await recordRunsSince(client, name, runsSince);
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/**
 * @throws unavailable `DATABASE_UNAVAILABLE` where the connection was lost, which is not the
 * migration's fault
 */
async function recordFailure(
  client: pg.Client,
  { name, checksum, cause }: { name: string; checksum: string; cause: unknown },
): Promise<void> {
  try {
    await client.query('ROLLBACK');
  } catch {
    throw unreachable(cause);
  }
  // That of the first migration was rolled back with it.
  await client.query(CREATE_HISTORY);
  await client.query(
    'INSERT INTO "_prisma_migrations" (id, checksum, migration_name, logs) VALUES ($1, $2, $3, $4)',
    [randomUUID(), checksum, name, String(cause)],
  );
}
