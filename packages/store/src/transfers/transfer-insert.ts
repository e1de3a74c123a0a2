/** Inserts a transfer with its jobs. */
import { randomUUID } from 'node:crypto';
import { isSelection } from '@portcullis/domain';
import { requestIdNow } from '@portcullis/runtime';
import type { Connection } from '../database.ts';
import { json, newRow } from '../jobs/job-row.ts';
import type { JobRef, NewJob } from '../jobs/new-job.ts';
import type { NewTransfer } from './records.ts';

export const NO_OWNER: [string, string] = ['USER_UNKNOWN', 'there is no such account'];

/** In the caller's transaction: a schedule is updated in the same one. */
export async function insertTransfer(
  tx: Connection,
  { ownerId, scheduleId = null, order, jobs }: NewTransfer,
): Promise<{ id: string; jobs: JobRef[] }> {
  const id = randomUUID();
  const requestId = requestIdNow();
  await tx.transfer.create({ data: { id, ownerId, scheduleId, order: json(order), requestId } });
  const selections = order.entries.flatMap(({ tags }, position) =>
    isSelection(tags) ? [{ transferId: id, position }] : [],
  );
  if (selections.length > 0) await tx.transferSelection.createMany({ data: selections });
  return { id, jobs: await insertJobs(tx, id, jobs) };
}

export async function insertJobs(
  tx: Connection,
  transferId: string,
  jobs: NewJob[],
): Promise<JobRef[]> {
  const now = new Date();
  const rows = jobs.map((job) => newRow({ ...job, transferId }, now));
  if (rows.length > 0) await tx.stagingJob.createMany({ data: rows });
  return rows.map(({ id, ownerId }) => ({
    id,
    ownerId,
    status: 'pull_queued',
    fence: 0,
    storageId: null,
  }));
}
