/** Maintenance runs on demand. Times are the database's, so that workers' clocks do not matter. */

import { requestIdNow } from '@portcullis/runtime';
import { withEvent } from '../audit/outbox.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import type { MaintenanceRun as Row } from '../generated/client.ts';
import { json } from '../jobs/job-row.ts';
import type { Maintenance, MaintenanceKind, MaintenanceRun } from '../port.ts';

/**
 * A worker that has not renewed its lease for this long counts as dead. Longer than a dead
 * collector's lock on the registry, so that the next one gets the lock.
 */
const LEASE = Prisma.sql`now() + interval '15 seconds'`;
const DUE = Prisma.sql`(state = 'queued' OR (state = 'running' AND lease_until < now()))`;

export function createMaintenance(db: Database): Maintenance {
  return {
    async latest(kind) {
      const row = await run(() =>
        db.maintenanceRun.findFirst({ where: { kind }, orderBy: { requestedAt: 'desc' } }),
      );
      return row && toRun(row);
    },
    request: (options) => request(db, options),
    due: () =>
      run(
        () => db.$queryRaw<Pick<MaintenanceRun, 'id' | 'kind' | 'attempts'>[]>`
          SELECT id::text, kind, attempts FROM maintenance_runs WHERE ${DUE} ORDER BY requested_at`,
      ),
    claim: (kind, workerId) => claim(db, kind, workerId),
    async renew({ id, attempts }) {
      const written = await run(
        () => db.$executeRaw`
          UPDATE maintenance_runs SET lease_until = ${LEASE}
           WHERE id = ${id}::uuid AND attempts = ${attempts} AND state = 'running'`,
      );
      return written === 1;
    },
    async release({ id, attempts }) {
      const where = { id, attempts, state: 'running' };
      const data = { state: 'queued', leaseUntil: null, tries: { decrement: 1 } };
      await run(() => db.maintenanceRun.updateMany({ where, data }));
    },
    async finish({ id, attempts }, { result, logTail, error, event }) {
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
