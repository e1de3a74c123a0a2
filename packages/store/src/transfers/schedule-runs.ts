/** Reads the last transfers that schedules started: one query for all schedules of a page. */
import { type Database, isId, Prisma, run } from '../database.ts';
import type { ScheduleRun } from './records.ts';
import { ONLY_BLOCKED, STATUS } from './transfer-filter.ts';

const MOST_RUNS = 10;

/** By the id of the schedule, newest first. A schedule that never ran has no entry. */
export async function recentRuns(
  db: Database,
  scheduleIds: readonly string[],
): Promise<Map<string, ScheduleRun[]>> {
  const ids = scheduleIds.filter(isId);
  if (ids.length === 0) return new Map();
  const rows = await run(() =>
    db.$queryRaw<(ScheduleRun & { scheduleId: string })[]>(Prisma.sql`
      SELECT t.schedule_id AS "scheduleId", t.id AS "transferId", t.created_at AS at,
             ${STATUS} AS status, ${ONLY_BLOCKED} AS blocked
        FROM unnest(${ids}::uuid[]) AS wanted (id)
       CROSS JOIN LATERAL (
             SELECT id, schedule_id, created_at FROM transfers
              WHERE schedule_id = wanted.id
              ORDER BY created_at DESC, id DESC LIMIT ${MOST_RUNS}) AS t
       ORDER BY t.created_at DESC, t.id DESC`),
  );
  const grouped = Map.groupBy(rows, ({ scheduleId }) => scheduleId);
  return new Map(
    [...grouped].map(([id, runs]) => [id, runs.map(({ scheduleId: _, ...each }) => each)]),
  );
}
