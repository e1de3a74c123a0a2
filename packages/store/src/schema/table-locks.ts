/**
 * Locks tables before they are dropped. Any session that used one of them in an open transaction
 * holds it, so the wait is bounded, and the fault names the session.
 */
import { unavailable } from '@portcullis/errors';
import type pg from 'pg';
import { isLockWait, LOCK_WAIT } from './migration-lock.ts';

/**
 * In a transaction of the caller, which goes on without the locks after the fault.
 * @param names quoted where needed
 * @throws unavailable `DATABASE_LOCKED`
 */
export async function lockTables(
  client: pg.Client,
  names: readonly string[],
  wait = LOCK_WAIT,
): Promise<void> {
  if (names.length === 0) return;
  await client.query(`SAVEPOINT unlocked; SET LOCAL lock_timeout = '${wait}'`);
  try {
    await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await client.query('RELEASE SAVEPOINT unlocked');
  } catch (cause) {
    if (!isLockWait(cause)) throw cause;
    await client.query('ROLLBACK TO SAVEPOINT unlocked');
    throw unavailable('DATABASE_LOCKED', await describeHolders(client, names, wait), { cause });
  }
}

interface Holder {
  pid: number;
  name: string;
  state: string | null;
  tables: string[];
}

const HOLDERS = `
  SELECT pid, application_name AS name, state, array_agg(DISTINCT relation::regclass::text) AS tables
  FROM pg_locks JOIN pg_stat_activity a USING (pid)
  WHERE locktype = 'relation' AND granted AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND relation = ANY ($1::text[]::regclass[])
  GROUP BY pid, application_name, state, a.xact_start ORDER BY a.xact_start`;
const MOST_NAMED = 3;

async function describeHolders(
  client: pg.Client,
  names: readonly string[],
  wait: string,
): Promise<string> {
  const { rows } = await client.query<Holder>(HOLDERS, [names]);
  const named = rows.slice(0, MOST_NAMED).map(describe);
  const who = named.length > 0 ? named.join(', ') : 'another session';
  const more = rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} others` : '';
  return `waited ${wait} for tables that other sessions use: ${who}${more}; stop what uses this database, or end these sessions with pg_terminate_backend, and start again`;
}

function describe({ pid, name, state, tables }: Holder): string {
  const shown = tables.slice(0, MOST_NAMED).join(', ');
  return `process ${pid} of PostgreSQL (“${name}”, ${state ?? 'state unknown'}) uses ${shown}`;
}
