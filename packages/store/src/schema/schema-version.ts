/**
 * Whether this release can run on the tables of a database. Each migration states the oldest
 * release that can run on the resulting tables; the statement is stored in the database, because
 * the older release does not have the file.
 */
import { conflict, unavailable } from '@portcullis/errors';
import type pg from 'pg';
import { connected } from './connected.ts';
import { migrationNames } from './migration-files.ts';
import { isLockWait, LOCK_WAIT } from './migration-lock.ts';
import { assertNotRestoring } from './restore-mark.ts';
import { hasTable } from './tables.ts';

/**
 * A row of `settings`: for each migration, the newest migration of the oldest release that can run
 * on its tables.
 */
const SETTING = 'schema';

export async function recordRunsSince(
  client: pg.Client,
  migration: string,
  since: string,
): Promise<void> {
  await client.query(
    `INSERT INTO settings (key, value) VALUES ($1, jsonb_build_object($2::text, $3::text))
     ON CONFLICT (key) DO UPDATE SET value = settings.value || EXCLUDED.value, updated_at = now()`,
    [SETTING, migration, since],
  );
}

/** @throws conflict `DATABASE_NEWER` where a newer release has changed the tables incompatibly */
export async function assertNotNewer(
  client: pg.Client,
  { known, applied }: { known: readonly string[]; applied: readonly string[] },
): Promise<void> {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const since = await runsSince(client);
  const newest = known.at(-1) ?? '';
  // Names begin with their time, so they are compared as text.
  const refused = unknown.filter((name) => (since[name] ?? name) > newest);
  if (refused.length === 0) return;
  throw conflict(
    'DATABASE_NEWER',
    `the database was changed by a newer release (${refused.join(', ')}); run that release, or restore a backup of this one`,
  );
}

async function runsSince(client: pg.Client): Promise<Partial<Record<string, string>>> {
  const { rows } = await client.query<{ value: Record<string, string> }>(
    'SELECT value FROM settings WHERE key = $1',
    [SETTING],
  );
  return rows[0]?.value ?? {};
}

/**
 * Called by each process at start. @throws conflict `RESTORE_UNFINISHED`; conflict
 * `DATABASE_NEWER`; conflict `DATABASE_NOT_MIGRATED` where tables of this release are missing;
 * unavailable `DATABASE_LOCKED`; unavailable `DATABASE_UNAVAILABLE`
 */
export async function assertSchema(databaseUrl: string): Promise<void> {
  await connected(databaseUrl, async (client) => {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
    // Waits for the locks of a running restore, whose mark must be read after them.
    const applied = await appliedNames(client).catch((cause: unknown) => {
      throw isLockWait(cause) ? locked(cause) : cause;
    });
    await assertNotRestoring(client);
    const known = await migrationNames();
    const missing = known.filter((name) => !applied.includes(name));
    if (missing.length > 0)
      throw conflict(
        'DATABASE_NOT_MIGRATED',
        `the database lacks tables of this release (${missing.join(', ')}); run \`portcullis migrate\``,
      );
    await assertNotNewer(client, { known, applied });
  });
}

function locked(cause: unknown): Error {
  const text = `another session has the tables locked for more than ${LOCK_WAIT}, as a restore or a migration does; start again when it has ended`;
  return unavailable('DATABASE_LOCKED', text, { cause });
}

async function appliedNames(client: pg.Client): Promise<string[]> {
  if (!(await hasTable(client, '_prisma_migrations'))) return [];
  const applied = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations"
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return applied.rows.map(({ name }) => name);
}
