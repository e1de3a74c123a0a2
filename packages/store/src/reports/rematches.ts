/** The row of image_rematches: who re-matches, and what has been done with the present database. */

import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { LEASE } from '../lease.ts';
import type {
  DueRematch,
  Rematch,
  RematchCounts,
  RematchData,
  RematchProgress,
  ScanData,
} from './records.ts';
import { awaitsJava, isOlder, isRematched, JUDGED } from './rescans.ts';
import { SERVED_DIGESTS } from './served-digests.ts';

const ID = 'current';

export function createRematches(db: Database) {
  return {
    /** Null where nothing is due or another worker does it. A newer database starts over. */
    claim: (data: RematchData) => claim(db, data),
    /** The newest tag first. */
    due: (data: RematchData, limit: number) => due(db, data, limit),
    /** Adds to the counts. False where the lease was lost. */
    async renew(rematch: Rematch, counts: RematchCounts): Promise<boolean> {
      return (await add(db, rematch, counts, LEASE)) === 1;
    },
    /** Nothing is left, or the worker stops. */
    async release(rematch: Rematch, counts: RematchCounts): Promise<void> {
      await add(db, rematch, counts, Prisma.sql`NULL`);
    },
    /** The image is scanned with this database instead. */
    async leave(digest: string, { dbUpdatedAt: failedAt }: ScanData): Promise<void> {
      await run(() => db.imageAnalysis.updateMany({ where: { digest }, data: { failedAt } }));
    },
    /** The newest re-match; null before the first. */
    progress: () => progress(db),
  };
}

async function claim(db: Database, data: RematchData): Promise<Rematch | null> {
  if ((await due(db, data, 1)).length === 0) return null;
  const [claimed] = await run(
    () => db.$queryRaw<Rematch[]>`
      INSERT INTO image_rematches (id, db_updated_at, attempts, lease_until, started_at, renewed_at)
      VALUES (${ID}, ${data.dbUpdatedAt}, 1, ${LEASE}, now(), now())
      ON CONFLICT (id) DO UPDATE
        SET attempts = image_rematches.attempts + 1, lease_until = excluded.lease_until,
            db_updated_at = excluded.db_updated_at, renewed_at = now(),
            ${restarted('started_at', Prisma.sql`now()`)}, ${restarted('matched')},
            ${restarted('changed')}, ${restarted('skipped')}, ${restarted('failed')},
            ${restarted('worked_ms')}
      WHERE image_rematches.lease_until IS NULL OR image_rematches.lease_until < now()
      RETURNING attempts`,
  );
  return claimed ?? null;
}

/** Counted from the beginning where the database is another one. */
function restarted(name: string, start = Prisma.sql`0`): Prisma.Sql {
  const column = Prisma.raw(name);
  return Prisma.sql`${column} = CASE WHEN image_rematches.db_updated_at = excluded.db_updated_at
                                THEN image_rematches.${column} ELSE ${start} END`;
}

/** The image that was pulled or pushed last comes first. */
function due(db: Database, data: RematchData, limit: number): Promise<DueRematch[]> {
  return run(
    () => db.$queryRaw<DueRematch[]>`
      SELECT t.digest, i.db_updated_at AS "dbUpdatedAt"
        FROM ${SERVED_DIGESTS}
        JOIN image_reports i ON i.digest = t.digest
        JOIN image_analyses a ON a.digest = t.digest
        LEFT JOIN image_pulls p ON p.digest = t.digest
       WHERE ${JUDGED} AND ${isOlder(data)} AND NOT ${awaitsJava(data)}
         AND ${isRematched(data.profile, data)}
       ORDER BY greatest(p.pulled_at, t.updated_at) DESC, t.digest LIMIT ${limit}`,
  );
}

function add(
  db: Database,
  { attempts }: Rematch,
  { matched, changed, skipped, failed, workedMs }: RematchCounts,
  leaseUntil: Prisma.Sql,
): Promise<number> {
  return run(
    () => db.$executeRaw`
      UPDATE image_rematches
         SET lease_until = ${leaseUntil}, matched = matched + ${matched},
             changed = changed + ${changed}, skipped = skipped + ${skipped},
             failed = failed + ${failed}, worked_ms = worked_ms + ${Math.round(workedMs)},
             renewed_at = CASE WHEN ${matched + skipped + failed} > 0 THEN now() ELSE renewed_at END
       WHERE id = ${ID} AND attempts = ${attempts} AND lease_until IS NOT NULL`,
  );
}

async function progress(db: Database): Promise<RematchProgress | null> {
  const row = await run(() => db.imageRematch.findUnique({ where: { id: ID } }));
  if (!row) return null;
  const { matched, changed, skipped, failed, workedMs, dbUpdatedAt, startedAt, renewedAt } = row;
  const isRunning = row.leaseUntil !== null && row.leaseUntil > new Date();
  const counts = { matched, changed, skipped, failed, workedMs };
  return { ...counts, dbUpdatedAt, isRunning, startedAt, renewedAt };
}
