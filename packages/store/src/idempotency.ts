/**
 * `Idempotency-Key`: claiming the key and inserting the request's rows is one transaction. A crash
 * leaves neither, and a second request with the same key waits for the uncommitted row of the
 * first.
 */
import type { StagingJob } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Sealer } from '@portcullis/runtime';
import {
  type Connection,
  type Database,
  inTransaction,
  isLockTimeout,
  run,
  write,
} from './database.ts';
import type { Credentials } from './images/records.ts';
import { setCredentials } from './jobs/job-credentials.ts';
import { updateWithin } from './jobs/job-fence.ts';
import { countByStatus, insertJob } from './jobs/job-insert.ts';
import type { NewJob } from './jobs/new-job.ts';
import type { IdempotencyClaim, IdempotentAnswer } from './jobs/records.ts';
import type { NewTransfer } from './transfers/records.ts';
import { insertTransfer, NO_OWNER } from './transfers/transfer-insert.ts';

const KEPT_HOURS = 24;
/** How long a second request waits for the first one with the same key. */
const WAIT_MS = 5_000;

export async function createIdempotently(
  db: Database,
  sealer: Sealer,
  {
    key,
    create,
  }: { key: IdempotencyClaim | null; create: (rows: IdempotentWrites) => Promise<string[]> },
): Promise<IdempotentAnswer> {
  return inTransaction(db, async (tx) => {
    const rows = writesIn(tx, sealer);
    if (key === null) return { ids: await create(rows), replayed: false };
    await forgetOld(tx, key);
    if (!(await claim(tx, key))) {
      const answer = await earlierAnswer(tx, key);
      key.replayed?.();
      return answer;
    }
    const ids = await create(rows);
    const where = { userId_key: { userId: key.userId, key: key.key } };
    await tx.idempotencyKey.update({ where, data: { ids } });
    return { ids, replayed: false };
  });
}

/** The writes that a request may make in the transaction that claims its key. */
export type IdempotentWrites = ReturnType<typeof writesIn>;

function writesIn(tx: Connection, sealer: Sealer) {
  return {
    jobs: {
      insert: (job: NewJob) => insertJob(tx, sealer, job),
      update: (id: string, change: (job: StagingJob) => StagingJob | null) =>
        updateWithin(tx, id, change),
      setPushCredentials: (id: string, pushId: string, credentials: Credentials | null) =>
        setCredentials(tx, sealer, { jobId: id, use: pushId, credentials }),
      countByStatus: (filter?: { ownerId?: string }) => countByStatus(tx, filter),
    },
    transfers: {
      insert: (transfer: NewTransfer) =>
        write({ missing: NO_OWNER }, () => insertTransfer(tx, transfer)),
    },
  };
}

async function forgetOld(tx: Connection, { userId }: IdempotencyClaim): Promise<void> {
  const old = new Date(Date.now() - KEPT_HOURS * 3_600_000);
  await run(() => tx.idempotencyKey.deleteMany({ where: { userId, createdAt: { lt: old } } }));
}

/**
 * Returns false where an earlier request has the key. The insert waits while a transaction that
 * inserted the same key is open. @throws conflict `IDEMPOTENCY_KEY_IN_USE` where that takes too
 * long
 */
async function claim(
  tx: Connection,
  { key, userId, bodyHash }: IdempotencyClaim,
): Promise<boolean> {
  await tx.$executeRaw`SELECT set_config('lock_timeout', ${`${WAIT_MS}ms`}, true)`;
  try {
    const claimed = await run(
      () => tx.$executeRaw`
        INSERT INTO idempotency_keys (user_id, key, body_hash) VALUES (${userId}::uuid, ${key}, ${bodyHash})
        ON CONFLICT (user_id, key) DO NOTHING`,
    );
    return claimed === 1;
  } catch (error) {
    throw isLockTimeout(error) ? inUse() : error;
  } finally {
    // Rows that `create` locks are waited for until the statement timeout.
    await tx.$executeRaw`SELECT set_config('lock_timeout', '0', true)`.catch(() => 0);
  }
}

async function earlierAnswer(
  tx: Connection,
  { key, userId, bodyHash }: IdempotencyClaim,
): Promise<IdempotentAnswer> {
  const row = await run(() =>
    tx.idempotencyKey.findUnique({ where: { userId_key: { userId, key } } }),
  );
  if (row && row.bodyHash !== bodyHash) {
    throw conflict('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used with another body');
  }
  if (!row) throw inUse();
  return { ids: row.ids, replayed: true };
}

function inUse() {
  return conflict('IDEMPOTENCY_KEY_IN_USE', 'a request with this key is still running');
}
