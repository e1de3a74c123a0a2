/** Maintenance runs on demand. Times are the database's, so that workers' clocks do not matter. */

import type { AuditEvent } from '@portcullis/domain';
import { requestIdNow } from '@portcullis/runtime';
import { withEvent } from '../audit/outbox.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import type { MaintenanceRun as Row } from '../generated/client.ts';
import { json } from '../jobs/job-row.ts';
import type { MaintenanceAttempt, MaintenanceKind, MaintenanceRun } from './records.ts';

/**
 * A worker that has not renewed its lease for this long counts as dead. Longer than a dead
 * collector's lock on the registry, so that the next one gets the lock.
 */
const LEASE = Prisma.sql`now() + interval '15 seconds'`;
const DUE = Prisma.sql`(state = 'queued' OR (state = 'running' AND lease_until < now()))`;

export function createMaintenance(db: Database) {
  return {
    /** The newest run. */
    async latest(kind: MaintenanceKind): Promise<MaintenanceRun | null> {
      const row = await run(() =>
        db.maintenanceRun.findFirst({ where: { kind }, orderBy: { requestedAt: 'desc' } }),
      );
      return row && toRun(row);
    },
    /** Null where a run of this kind is already queued or running. */
    request: (options: Pick<MaintenanceRun, 'kind' | 'options' | 'requestedBy'>) =>
      request(db, options),
    /** Runs that a worker may claim: those that are queued, and those whose worker is dead. */
    due: (): Promise<Pick<MaintenanceRun, 'id' | 'kind' | 'attempts'>[]> =>
      run(
        () => db.$queryRaw<Pick<MaintenanceRun, 'id' | 'kind' | 'attempts'>[]>`
          SELECT id::text, kind, attempts FROM maintenance_runs WHERE ${DUE} ORDER BY requested_at`,
      ),
    /** Assigns the oldest run that is due to a worker. `attempts` fences every later write. */
    claim: (kind: MaintenanceKind, workerId: string) => claim(db, kind, workerId),
    /** False where the run is no longer this attempt's. */
    async renew({ id, attempts }: MaintenanceAttempt): Promise<boolean> {
      const written = await run(
        () => db.$executeRaw`
          UPDATE maintenance_runs SET lease_until = ${LEASE}
           WHERE id = ${id}::uuid AND attempts = ${attempts} AND state = 'running'`,
      );
      return written === 1;
    },
    /** Requeues a run that did not end; the attempt does not count. */
    async release({ id, attempts }: MaintenanceAttempt): Promise<void> {
      const where = { id, attempts, state: 'running' };
      const data = { state: 'queued', leaseUntil: null, tries: { decrement: 1 } };
      await run(() => db.maintenanceRun.updateMany({ where, data }));
    },
    /** False where the run is no longer this attempt's and nothing was written. */
    async finish(
      { id, attempts }: MaintenanceAttempt,
      {
        result,
        logTail,
        error,
        event,
      }: Pick<MaintenanceRun, 'result' | 'logTail' | 'error'> & { event?: AuditEvent },
    ): Promise<boolean> {
      const data = {
        state: error ? 'failed' : 'done',
        result: json(result),
        error: error ? json(error) : Prisma.DbNull,
        logTail,
        finishedAt: new Date(),
        leaseUntil: null,
      };
      const where = { id, attempts, state: 'running' };
      return withEvent(
        db,
        event,
        async (tx) => (await tx.maintenanceRun.updateMany({ where, data })).count === 1,
      );
    },
  };
}

async function request(
  db: Database,
  { kind, options, requestedBy }: Pick<MaintenanceRun, 'kind' | 'options' | 'requestedBy'>,
): Promise<MaintenanceRun | null> {
  return run(() =>
    db.$transaction(async (tx) => {
      // Held until the end of the transaction: of two concurrent requests one sees the other's run.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`maintenance ${kind}`}))`;
      const open = await tx.maintenanceRun.count({
        where: { kind, state: { in: ['queued', 'running'] } },
      });
      if (open > 0) return null;
      const data = { kind, options: json(options), requestedBy, requestId: requestIdNow() };
      return toRun(await tx.maintenanceRun.create({ data }));
    }),
  );
}

async function claim(
  db: Database,
  kind: MaintenanceKind,
  workerId: string,
): Promise<MaintenanceRun | null> {
  const rows = await run(
    () => db.$queryRaw<{ id: string }[]>`
      UPDATE maintenance_runs
         SET state = 'running', attempts = attempts + 1, tries = tries + 1, worker_id = ${workerId},
             started_at = COALESCE(started_at, now()), lease_until = ${LEASE}
       WHERE id = (SELECT id FROM maintenance_runs WHERE kind = ${kind} AND ${DUE}
                    ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id`,
  );
  const [taken] = rows;
  if (!taken) return null;
  return toRun(await run(() => db.maintenanceRun.findUniqueOrThrow({ where: { id: taken.id } })));
}

/** The JSON columns contain what this file wrote. */
function toRun({ workerId: _worker, leaseUntil: _lease, ...row }: Row): MaintenanceRun {
  return row as unknown as MaintenanceRun;
}
