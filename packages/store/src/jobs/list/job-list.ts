/** Lists staging jobs by conditions. */
import { GATE_CODES, searchedWords } from '@portcullis/domain';
import { keyOf } from '../../accounts/users.ts';
import type { Connection, Database } from '../../database.ts';
import { isId, Prisma, run } from '../../database.ts';
import type { StagingJobWhereInput } from '../../generated/models.ts';
import { filled } from '../../grouped-rows.ts';
import type { Page } from '../../page.ts';
import { pageSize } from '../../page.ts';
import { toSummary } from '../job-row.ts';
import type { JobConditions, JobFilter, JobSummary } from '../records.ts';
import { jobOrders, type VerdictOrder, verdictsAfter } from './job-order.ts';
import { searched } from './job-search.ts';

/** There are few: those whose name has a word of the search are found here. */
const NAMES = { select: { id: true, name: true } } as const;
const WITH_OWNER = { owner: { select: { username: true, usernameKey: true } } } as const;

export async function listJobs(db: Database, filter: JobFilter): Promise<Page<JobSummary>> {
  const where = await conditions(db, filter);
  const limit = pageSize(filter.limit);
  const { order = '-created_at', cursor } = filter;
  // One row more than requested shows whether there is a next page.
  const take = limit + 1;
  const read = (condition: StagingJobWhereInput, most: number) =>
    db.stagingJob.findMany({
      where: { AND: [where, condition] },
      include: WITH_OWNER,
      omit: { findings: true },
      orderBy: jobOrders.by(order),
      take: most,
    });
  const [rows, total] = await run(() =>
    Promise.all([
      isByVerdict(order)
        ? filled(take, verdictsAfter(order, cursor), read)
        : read(jobOrders.after(order, cursor), take),
      db.stagingJob.count({ where }),
    ]),
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(toSummary),
    total,
    nextCursor: last ? jobOrders.cursorOf(order, last) : null,
  };
}

/** Those that exist, in any order. */
export async function summariesOf(db: Database, ids: readonly string[]): Promise<JobSummary[]> {
  const where = { id: { in: ids.filter(isId) } };
  const rows = await run(() =>
    db.stagingJob.findMany({ where, include: WITH_OWNER, omit: { findings: true } }),
  );
  return rows.map(toSummary);
}

const isByVerdict = (order: string): order is VerdictOrder =>
  order === 'verdict' || order === '-verdict';

export async function conditions(
  db: Connection,
  filter: JobConditions,
): Promise<StagingJobWhereInput> {
  const words = searchedWords(filter.q ?? '');
  const registries = words.length === 0 ? [] : await run(() => db.registry.findMany(NAMES));
  return {
    AND: [fieldConditions(filter), ...words.map((word) => searched(word, registries))],
  };
}

function fieldConditions({
  ownerId,
  ownerName,
  status,
  transferId,
  verdict,
  blocked,
  since,
  until,
}: JobConditions): StagingJobWhereInput {
  if ([ownerId, transferId].some((id) => id !== undefined && !isId(id))) return { id: { in: [] } };
  return {
    ...(ownerId !== undefined && { ownerId }),
    ...(transferId !== undefined && { transferId }),
    ...(ownerName !== undefined && { owner: { usernameKey: keyOf(ownerName) } }),
    ...(status !== undefined && {
      status: { in: typeof status === 'string' ? [status] : [...status] },
    }),
    ...(verdict !== undefined && { verdict: { in: [...verdict] } }),
    ...((since ?? until) && {
      createdAt: { ...(since && { gte: since }), ...(until && { lt: until }) },
    }),
    ...(blocked !== undefined && { AND: [blocked ? BLOCKED : UNBLOCKED] }),
  };
}

/** The condition of the domain's `isBlocked`. */
export const BLOCKED: StagingJobWhereInput = {
  OR: [
    { status: 'staged', verdict: 'blocked' },
    ...GATE_CODES.map((code) => ({ status: 'failed', error: { path: ['code'], equals: code } })),
  ],
};

/** A comparison with the code of no error is neither true nor false. */
export const UNBLOCKED: StagingJobWhereInput = {
  OR: [{ NOT: BLOCKED }, { status: 'failed', error: { equals: Prisma.AnyNull } }],
};

/** The same condition for a row of `staging_jobs`. */
export const IS_BLOCKED = Prisma.sql`(
  (status = 'staged' AND verdict = 'blocked')
  OR (status = 'failed' AND error ->> 'code' IN (${Prisma.join([...GATE_CODES])})))`;
