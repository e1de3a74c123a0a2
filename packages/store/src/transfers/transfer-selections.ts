/**
 * Expands tag patterns into jobs, step by step. A step writes the jobs and the progress in one
 * transaction.
 */
import type { Database } from '../database.ts';
import { isId, Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { JobRef } from '../jobs/new-job.ts';
import type { SelectionStep } from './records.ts';
import { insertJobs } from './transfer-insert.ts';

export function createSelections(db: Database) {
  return {
    /** The cursor of each queued selection. */
    async queued(
      transferId: string,
    ): Promise<{ position: number; cursor: string | null; attempts: number; jobsMade: number }[]> {
      if (!isId(transferId)) return [];
      const where = { transferId, state: 'queued' };
      return run(() =>
        db.transferSelection.findMany({
          where,
          orderBy: { position: 'asc' },
          select: { position: true, cursor: true, attempts: true, jobsMade: true },
        }),
      );
    },
    /**
     * Inserts jobs and progress in one transaction; null where another worker was faster, or the
     * selection has ended.
     */
    step: (step: SelectionStep) => stepOn(db, step),
    /** `retry`: it stays queued, and the sweeper finds it again. */
    async selectionFailed(
      { transferId, position }: { transferId: string; position: number },
      error: { code: string; message: string },
      retry: boolean,
    ): Promise<void> {
      const data = {
        state: retry ? 'queued' : 'failed',
        error: json(error),
        attempts: { increment: 1 },
        touchedAt: new Date(),
      };
      const where = { transferId, position, state: 'queued' };
      await run(() => db.transferSelection.updateMany({ where, data }));
    },
    /** Requeues the failed selections; returns their number. */
    async requeueSelections(transferId: string): Promise<number> {
      const data = { state: 'queued', error: Prisma.DbNull, attempts: 0, touchedAt: new Date() };
      const where = { transferId, state: 'failed' };
      return (await run(() => db.transferSelection.updateMany({ where, data }))).count;
    },
    /**
     * Transfers with queued selections that were not touched for this long; each is returned to one
     * caller, once per period.
     */
    async stale({ olderThanMs }: { olderThanMs: number }): Promise<string[]> {
      const rows = await run(
        () => db.$queryRaw<{ id: string }[]>`
          UPDATE transfer_selections SET touched_at = now()
           WHERE state = 'queued' AND touched_at < now() - ${olderThanMs} * interval '1 millisecond'
           RETURNING transfer_id AS id`,
      );
      return [...new Set(rows.map(({ id }) => id))];
    },
  };
}

function stepOn(db: Database, step: SelectionStep): Promise<JobRef[] | null> {
  const { transferId, position, cursor, next, tagsSeen, jobs, skipped = [] } = step;
  return run(() =>
    db.$transaction(async (tx) => {
      const taken = await tx.transferSelection.updateMany({
        where: { transferId, position, state: 'queued', cursor },
        data: {
          cursor: next,
          state: next === null ? 'done' : 'queued',
          tagsSeen: { increment: tagsSeen },
          jobsMade: { increment: jobs.length },
          skipped: json(skipped),
          error: Prisma.DbNull,
          attempts: 0,
          touchedAt: new Date(),
        },
      });
      return taken.count === 1 ? insertJobs(tx, transferId, jobs) : null;
    }),
  );
}
