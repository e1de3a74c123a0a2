/**
 * The waits for locks of migrations and restores. Their own lock ends with its transaction, also
 * where a pooler keeps the session, and the wait for it is announced and bounded.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@portcullis/errors';
import type pg from 'pg';

/** Key of Prisma Migrate's advisory lock: our runs and its own exclude each other. */
const PRISMA_LOCK = 72_707_369;
const POLL_MS = 250;
const PATIENCE_MS = 10 * 60_000;

/** How long a start waits for a table that another session uses. */
export const LOCK_WAIT = '60s';

/** PostgreSQL's `lock_not_available`. */
export function isLockWait(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

export interface LockWait {
  /** Called once, where another session holds the lock, with the sentence for the operator. */
  onWait?: ((text: string) => void) | undefined;
  patienceMs?: number | undefined;
}

/**
 * For a transaction of the caller. @throws unavailable `DATABASE_LOCKED`, which names the holder
 */
export async function lockMigrations(
  client: pg.Client,
  { onWait, patienceMs = PATIENCE_MS }: LockWait = {},
): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let tries = 0; !(await tryLock(client)); tries++) {
    const waiting = await describeHolder(client);
    if (performance.now() >= end)
      throw unavailable('DATABASE_LOCKED', `${waiting}; end it or wait, and start again`);
    if (tries === 0) onWait?.(`${waiting}; waiting for it`);
    await sleep(POLL_MS);
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1) AS locked',
    [PRISMA_LOCK],
  );
  return rows[0]?.locked === true;
}

interface Holder {
  pid: number;
  name: string;
  state: string | null;
}

const HOLDER = `
  SELECT pid, application_name AS name, state FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Holder>(HOLDER, [PRISMA_LOCK]);
  const [holder] = rows;
  const session = holder
    ? `process ${holder.pid} of PostgreSQL (“${holder.name}”, ${holder.state ?? 'state unknown'})`
    : 'another session';
  return `${session} migrates or restores this database`;
}
