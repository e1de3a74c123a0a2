/** Stores schedules, and starts their transfers once each. */
import { OPEN_STATUSES } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { Connection, Database } from '../database.ts';
import { isId, Prisma, run, write } from '../database.ts';
import type { Schedule as Row } from '../generated/client.ts';
import type { ScheduleWhereInput } from '../generated/models.ts';
import { json } from '../jobs/job-row.ts';
import { contains } from '../like.ts';
import type { Page } from '../page.ts';
import { pageSize } from '../page.ts';
import type {
  NewSchedule,
  NewTransfer,
  Schedule,
  ScheduleFilter,
  ScheduleStart,
} from './records.ts';
import { scheduleOrders } from './schedule-order.ts';
import { recentRuns } from './schedule-runs.ts';
import { insertTransfer } from './transfer-insert.ts';

const MISSING: [string, string] = ['SCHEDULE_UNKNOWN', 'there is no such schedule'];
const WITH_OWNER = { owner: { select: { username: true } } } as const;

export function createSchedules(db: Database) {
  return {
    async find(id: string): Promise<Schedule | null> {
      if (!isId(id)) return null;
      const row = await run(() => db.schedule.findUnique({ where: { id }, include: WITH_OWNER }));
      return row && toSchedule(row);
    },
    list: (filter: ScheduleFilter) => list(db, filter),
    recentRuns: (ids: readonly string[]) => recentRuns(db, ids),
    async insert(schedule: NewSchedule): Promise<Schedule> {
      const data = { ...schedule, request: json(schedule.request), order: json(schedule.order) };
      const missing: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
      return toSchedule(
        await write({ missing }, () => db.schedule.create({ data, include: WITH_OWNER })),
      );
    },
    /** @throws not_found */
    async update(id: string, change: Partial<Omit<NewSchedule, 'ownerId'>>): Promise<Schedule> {
      if (!isId(id)) throw notFound(...MISSING);
      const data = columns(change);
      return toSchedule(
        await write({ missing: MISSING }, () =>
          db.schedule.update({ where: { id }, data, include: WITH_OWNER }),
        ),
      );
    },
    async remove(id: string): Promise<boolean> {
      return isId(id) && (await run(() => db.schedule.deleteMany({ where: { id } }))).count > 0;
    },
    enabled: (): Promise<Pick<Schedule, 'id' | 'cron' | 'timezone'>[]> =>
      run(() =>
        db.schedule.findMany({
          where: { enabled: true },
          select: { id: true, cron: true, timezone: true },
          orderBy: { id: 'asc' },
        }),
      ),
    /** Ids of the schedules that are due. */
    async due(now: Date): Promise<string[]> {
      const where = { enabled: true, nextRunAt: { lte: now } };
      const rows = await run(() =>
        db.schedule.findMany({ where, select: { id: true }, take: 500 }),
      );
      return rows.map(({ id }) => id);
    },
    /**
     * Starts at most one run, however many callers: the row is locked while its transfer is
     * inserted.
     */
    start: (
      id: string,
      options: { now: Date; manual: boolean; nextRunAt: Date | null; transfer: NewTransfer },
    ): Promise<ScheduleStart> => run(() => db.$transaction((tx) => start(tx, id, options))),
    /**
     * Records why it did not start; with `nextRunAt` undefined the time stays, so that the sweeper
     * retries the run.
     */
    async refused(
      id: string,
      error: { code: string; message: string },
      { now, nextRunAt }: { now: Date; nextRunAt?: Date | null },
    ): Promise<void> {
      const lastError = json({ ...error, at: now });
      const data = { lastError, ...(nextRunAt !== undefined && { nextRunAt }) };
      await run(() => db.schedule.updateMany({ where: { id }, data }));
    },
  };
}

function columns({ request, order, ...rest }: Partial<Omit<NewSchedule, 'ownerId'>>) {
  return {
    ...rest,
    ...(request && { request: json(request) }),
    ...(order && { order: json(order) }),
  };
}

async function list(
  db: Database,
  { ownerId, q, cursor, sort = '-created_at', ...filter }: ScheduleFilter,
): Promise<Page<Schedule>> {
  const where: ScheduleWhereInput = {
    ...(ownerId !== undefined && { ownerId }),
    ...(q && { name: contains(q) }),
  };
  const limit = pageSize(filter.limit);
  const [rows, total] = await run(() =>
    Promise.all([
      db.schedule.findMany({
        where: { AND: [where, scheduleOrders.after(sort, cursor)] },
        include: WITH_OWNER,
        orderBy: scheduleOrders.by(sort),
        take: limit + 1,
      }),
      db.schedule.count({ where }),
    ]),
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toSchedule),
    total,
    nextCursor: rows.length > limit && last ? scheduleOrders.cursorOf(sort, last) : null,
  };
}

async function start(
  tx: Connection,
  id: string,
  {
    now,
    manual,
    nextRunAt,
    transfer,
  }: { now: Date; manual: boolean; nextRunAt: Date | null; transfer: NewTransfer },
): Promise<ScheduleStart> {
  await tx.$queryRaw`SELECT id FROM transfer_schedules WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await tx.schedule.findUnique({ where: { id } });
  const due = row?.enabled && row.nextRunAt !== null && row.nextRunAt <= now;
  if (!row || !(manual || due)) return { kind: 'not_due' };
  if (row.lastTransferId !== null && (await isOpen(tx, row.lastTransferId)))
    return { kind: 'still_running' };
  const { id: transferId, jobs } = await insertTransfer(tx, { ...transfer, scheduleId: id });
  const data = { lastRunAt: now, lastTransferId: transferId, lastError: Prisma.DbNull };
  await tx.schedule.update({ where: { id }, data: { ...data, ...(due && { nextRunAt }) } });
  return { kind: 'started', transferId, jobs };
}

async function isOpen(tx: Connection, transferId: string): Promise<boolean> {
  const selection = await tx.transferSelection.findFirst({
    where: { transferId, state: 'queued' },
  });
  if (selection) return true;
  const where = { transferId, status: { in: [...OPEN_STATUSES] } };
  return (await tx.stagingJob.findFirst({ where, select: { id: true } })) !== null;
}

/** JSON columns contain what this file wrote. */
function toSchedule({
  owner,
  request,
  order,
  lastError,
  ...rest
}: Row & { owner: { username: string } }): Schedule {
  return {
    ...rest,
    ownerName: owner.username,
    request: request as unknown as Schedule['request'],
    order: order as unknown as Schedule['order'],
    lastError: lastError as unknown as Schedule['lastError'],
  };
}
