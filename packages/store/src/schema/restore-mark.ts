/**
 * Marks a database while a restore replaces it and what belongs to it. The mark is a table that is
 * in no migration and in no dump: it outlives the replacement of all others, and every process
 * reaches it.
 */
import { conflict } from '@portcullis/errors';
import type pg from 'pg';
import { connected } from './connected.ts';
import { lockTables } from './table-locks.ts';
import { hasTable } from './tables.ts';

export const MARK_TABLE = '_portcullis_restore';

/** Called before the first replacement, which another connection may be about to commit. */
export async function markRestore(databaseUrl: string, createdAt: string): Promise<void> {
  await connected(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(`CREATE TABLE IF NOT EXISTS ${MARK_TABLE} (backup TEXT NOT NULL)`);
    await client.query(`DELETE FROM ${MARK_TABLE}`);
    await client.query(`INSERT INTO ${MARK_TABLE} VALUES ($1)`, [createdAt]);
    await client.query('COMMIT');
  });
}

/** @throws unavailable `DATABASE_LOCKED` */
export async function unmarkRestore(databaseUrl: string): Promise<void> {
  await connected(databaseUrl, async (client) => {
    if (!(await hasTable(client, MARK_TABLE))) return;
    await client.query('BEGIN');
    await lockTables(client, [MARK_TABLE]);
    await client.query(`DROP TABLE ${MARK_TABLE}`);
    await client.query('COMMIT');
  });
}

/** When the backup was made whose restore has not ended; null where none has begun. */
export async function unfinishedRestore(databaseUrl: string): Promise<string | null> {
  return connected(databaseUrl, readMark);
}

/** @throws conflict `RESTORE_UNFINISHED` */
export async function assertNotRestoring(client: pg.Client): Promise<void> {
  const createdAt = await readMark(client);
  if (createdAt === null) return;
  throw conflict(
    'RESTORE_UNFINISHED',
    `the restore of the backup of ${createdAt} has not ended, so images and database may not belong together; if no restore is running, run \`portcullis restore <file>\` again with that backup`,
  );
}

export async function readMark(client: pg.Client): Promise<string | null> {
  if (!(await hasTable(client, MARK_TABLE))) return null;
  const { rows } = await client.query<{ backup: string }>(`SELECT backup FROM ${MARK_TABLE}`);
  return rows[0]?.backup ?? null;
}
