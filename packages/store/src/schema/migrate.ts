/**
 * Applies prisma/migrations the way `prisma migrate deploy` does (same lock, same table, same
 * checksums), so that a process needs no command line tool or engine binary to start, and Prisma's
 * tool agrees with the result.
 */
import { randomUUID } from 'node:crypto';
import { conflict } from '@portcullis/errors';
import pg from 'pg';
import { unreachable } from '../database.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { assertNotRestoring } from './restore-mark.ts';
import { assertNotNewer, recordRunsSince } from './schema-version.ts';

/** Key of Prisma Migrate's advisory lock: our runs and its own exclude each other. */
export const PRISMA_LOCK = 72_707_369;

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

export interface MigrateOptions {
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
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'portcullis migrate',
  });
  await client.connect().catch((error: unknown) => {
    throw unreachable(error);
  });
  // A lost connection is also reported by the query that waits for it.
  client.on('error', () => {});
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
    await assertNotRestoring(client);
    return await applyMissing(client, migrations, {
      known: all.map(({ name }) => name),
    });
  } finally {
    // Ends the session, which releases the lock.
    await client.end();
  }
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

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  { known }: { known: readonly string[] },
): Promise<string[]> {
  await client.query(CREATE_HISTORY);
  const { rows } = await client.query<Recorded>(HISTORY);
  await assertNotNewer(client, { known, applied: rows.map((row) => row.migration_name) });
  const applied: string[] = [];
  for (const migration of migrations) {
    const recorded = rows.find((row) => row.migration_name === migration.name);
    if (recorded) assertConsistent(recorded, migration);
    else {
      await apply(client, migration);
      applied.push(migration.name);
    }
  }
  return applied;
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
  await client.query('BEGIN');
  try {
    await perform(client, migration);
    await client.query('COMMIT');
  } catch (cause) {
    await recordFailure(client, { name, checksum, cause });
    throw conflict('MIGRATION_FAILED', `migration ${name} failed`, { cause });
  }
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
  await client.query(
    'INSERT INTO "_prisma_migrations" (id, checksum, migration_name, logs) VALUES ($1, $2, $3, $4)',
    [randomUUID(), checksum, name, String(cause)],
  );
}
