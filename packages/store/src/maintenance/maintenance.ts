/** Maintenance runs on demand. Times are the database's, so that workers' clocks do not matter. */

import { putReady, withEvent } from '../audit/outbox.ts';
import type { Database } from '../database.ts';
import { inTransaction, Prisma, run } from '../database.ts';
import type { MaintenanceRun as Row } from '../generated/client.ts';
import { json } from '../jobs/job-row.ts';
import { LEASE } from '../lease.ts';
import type { Maintenance, MaintenanceKind, MaintenanceRun } from '../port.ts';

export function createMaintenance(db: Database): Maintenance {
  return {
    async latest(kind) {
      await endAbandoned(db, kind);
      const row = await run(() =>
        db.maintenanceRun.findFirst({ where: { kind }, orderBy: { requestedAt: 'desc' } }),
      );
      return row && toRun(row);
    },
    request: (asked) => request(db, asked),
    claim: (kinds, workerId) => claim(db, kinds, workerId),
    async renew(id, workerId) {
      const written = await run(
        () => db.$executeRaw`
          UPDATE maintenance_runs SET lease_until = ${LEASE}
           WHERE id = ${id}::uuid AND worker_id = ${workerId} AND state = 'running'`,
      );
      return written === 1;
    },
    async finish(id, workerId, { result, logTail, error, event }) {
      const data = {
        state: error ? 'failed' : 'done',
        result: json(result),
        error: error ? json(error) : Prisma.DbNull,
        logTail,
        finishedAt: new Date(),
        leaseUntil: null,
      };
      const where = { id, workerId, state: 'running' };
      return withEvent(
        db,
        event,
        async (tx) => (await tx.maintenanceRun.updateMany({ where, data })).count === 1,
      );
    },
    async abandoned(eventOf) {
      for (const kind of KINDS) await endAbandoned(db, kind);
      return inTransaction(db, async (tx) => {
        const found = await tx.$queryRaw<{ id: string }[]>`
          UPDATE maintenance_runs SET lease_until = NULL
           WHERE state = 'failed' AND lease_until IS NOT NULL RETURNING id`;
        if (found.length === 0) return [];
        const where = { id: { in: found.map(({ id }) => id) } };
        const runs = (await tx.maintenanceRun.findMany({ where })).map(toRun);
        if (eventOf) await putReady(tx, runs.map(eventOf));
        return runs;
      });
    },
  };
}

const KINDS: readonly MaintenanceKind[] = ['gc', 'scanner-db'];

const ABANDONED = {
  code: 'WORKER_LOST',
  message: 'the worker that ran it stopped answering; nothing is held up by it any more',
};

/**
 * Called by readers, too. The lease stays until `abandoned` has returned the run to a caller that
 * audits it.
 */
async function endAbandoned(db: Database, kind: MaintenanceKind): Promise<void> {
  await run(
    () => db.$executeRaw`
      UPDATE maintenance_runs
         SET state = 'failed', finished_at = now(), error = ${JSON.stringify(ABANDONED)}::jsonb
       WHERE kind = ${kind} AND state = 'running' AND lease_until < now()`,
  );
}

async function request(
  db: Database,
  { kind, options, requestedBy }: Pick<MaintenanceRun, 'kind' | 'options' | 'requestedBy'>,
): Promise<MaintenanceRun | null> {
  await endAbandoned(db, kind);
  return run(() =>
    db.$transaction(async (tx) => {
      // Held until the end of the transaction: of two concurrent requests one sees the other's run.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`maintenance ${kind}`}))`;
      const open = await tx.maintenanceRun.count({
        where: { kind, state: { in: ['queued', 'running'] } },
      });
      if (open > 0) return null;
      return toRun(
        await tx.maintenanceRun.create({ data: { kind, options: json(options), requestedBy } }),
      );
    }),
  );
}

async function claim(
  db: Database,
  kinds: readonly MaintenanceKind[],
  workerId: string,
): Promise<MaintenanceRun | null> {
  const rows = await run(
    () => db.$queryRaw<{ id: string }[]>`
      UPDATE maintenance_runs
         SET state = 'running', worker_id = ${workerId}, started_at = now(), lease_until = ${LEASE}
       WHERE id = (SELECT id FROM maintenance_runs
                    WHERE state = 'queued' AND kind = ANY (${[...kinds]})
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
