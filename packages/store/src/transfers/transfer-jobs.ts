/**
 * Applies one rule to all jobs of a transfer: some hundred rows per transaction, written by one
 * statement.
 */
import type { JobStatus } from '@portcullis/domain';
import type { Connection, Database } from '../database.ts';
import { inTransaction, isId, Prisma } from '../database.ts';
import { changeRows, type JobChange } from '../jobs/bulk/change-rows.ts';
import type { JobRef } from '../jobs/new-job.ts';

const BATCH = 250;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export async function updateJobs(
  db: Database,
  transferId: string,
  statuses: readonly JobStatus[],
  change: JobChange,
): Promise<JobRef[]> {
  if (!isId(transferId)) return [];
  const changed: JobRef[] = [];
  let after: string | null = BEFORE_ALL;
  while (after !== null) {
    const from: string = after;
    const batch = await inTransaction(db, async (tx) => {
      const ids = await lock(tx, { transferId, statuses, from });
      return { ids, changed: await changeRows(tx, ids, change) };
    });
    changed.push(...batch.changed);
    after = batch.ids.length < BATCH ? null : (batch.ids.at(-1) ?? null);
  }
  return changed;
}

interface Range {
  transferId: string;
  statuses: readonly JobStatus[];
  from: string;
}

async function lock(tx: Connection, { transferId, statuses, from }: Range): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM staging_jobs
     WHERE transfer_id = ${transferId}::uuid AND status IN (${Prisma.join([...statuses])}) AND id > ${from}::uuid
     ORDER BY id LIMIT ${BATCH} FOR UPDATE`;
  return rows.map(({ id }) => id);
}
