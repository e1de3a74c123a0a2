/** Stores waivers, their approvals and their ends. */

import type { AuditEvent, WaiverScope } from '@portcullis/domain';
import { MOST_REQUESTED_WAIVERS } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import { LETS_ASK } from '../accounts/asking.ts';
import { reviews } from '../accounts/reviewers.ts';
import { putReady } from '../audit/outbox.ts';
import {
  type Connection,
  type Database,
  inTransaction,
  isId,
  must,
  Prisma,
  run,
  write,
} from '../database.ts';
import { json } from '../jobs/job-row.ts';
import { byTime } from '../keyed-order.ts';
import type {
  NewWaiver,
  PolicyWaiver,
  StoredWaiver,
  WaiverEvents,
  WaiverFilter,
  WaiverReviewer,
} from './records.ts';
import { coverage } from './waiver-coverage.ts';
import { matching, OPEN_STATES } from './waiver-filter.ts';
import { listWaivers, waitingWaivers } from './waiver-list.ts';
import { toWaiver, WITH_NAMES } from './waiver-row.ts';

const MISSING: [string, string] = ['WAIVER_UNKNOWN', 'there is no such waiver'];
const NO_FOLDER: [string, string] = ['FOLDER_UNKNOWN', 'there is no such folder'];
/** Without the folder. */
const SCOPE_FIELDS = [
  'vulnerability',
  'package',
  'packageVersion',
  'repository',
  'digest',
] satisfies Prisma.WaiverScalarFieldEnum[];
const NEWEST_FIRST = byTime('desc');
const MOST_TAKEN = 500;

export function createWaivers(db: Database) {
  async function find(id: string): Promise<StoredWaiver | null> {
    if (!isId(id)) return null;
    const row = await run(() => db.waiver.findUnique({ where: { id }, include: WITH_NAMES }));
    return row && toWaiver(row);
  }

  return {
    find,
    get: async (id: string): Promise<StoredWaiver> => must(await find(id), ...MISSING),
    list: (filter: WaiverFilter, now: Date) => listWaivers(db, filter, now),
    waiting: (filter: Omit<WaiverFilter, 'limit' | 'cursor' | 'sort'>, now: Date) =>
      waitingWaivers(db, filter, now),
    /**
     * The approved waivers that have not ended and whose requester may still request them: the
     * account is enabled, and may push to the folder or review waivers.
     */
    inForce: (now: Date) => inForce(db, now),
    /** Which of these are in force. */
    async inForceOf(ids: readonly string[], now: Date): Promise<Set<string>> {
      return new Set(await idsInForce(db, Prisma.sql`w.id::text = ANY(${[...ids]})`, now));
    },
    /**
     * The account's requested and approved waivers of these vulnerabilities that have not ended.
     */
    async openScopesOf(
      {
        requestedById,
        folder,
        vulnerabilities,
      }: { requestedById: string; folder: string | null; vulnerabilities: readonly string[] },
      now: Date,
    ): Promise<Omit<WaiverScope, 'folder'>[]> {
      const where = {
        requestedById,
        vulnerability: { in: [...vulnerabilities] },
        state: { in: OPEN_STATES },
        expiresAt: { gt: now },
        ...(folder === null ? { folderId: null } : { folder: { name: folder } }),
      };
      const scopes = await run(() => db.waiver.groupBy({ by: SCOPE_FIELDS, where }));
      return scopes;
    },
    /**
     * Requested and approved waivers of these vulnerabilities that have not ended, for this digest
     * or every one; the newest 500.
     */
    openOf: (
      asked: { vulnerabilities: readonly string[]; digest: string } & Pick<
        WaiverFilter,
        'visibleTo'
      >,
      now: Date,
    ) => openOf(db, asked, now),
    /** What a waiver of this scope covers today in these folders; at most `limit` items. */
    coverage: (asked: { scope: WaiverScope; folders: 'all' | readonly string[]; limit: number }) =>
      coverage(db, asked),
    /** @throws not_found `FOLDER_UNKNOWN`; conflict `WAIVERS_MANY` */
    insertWaiver: (waiver: NewWaiver): Promise<StoredWaiver> =>
      inTransaction(db, async (tx) => {
        await assertRoom(tx, [waiver]);
        return insertWaiver(tx, waiver);
      }),
    /**
     * False where one was given for that digest and folder before, also if it was revoked.
     */
    insertByPolicy: (waiver: PolicyWaiver, event: (id: string) => AuditEvent): Promise<boolean> =>
      insertByPolicy(db, waiver, event),
    /**
     * All or none.
     * @param most that may wait in one folder; `MOST_REQUESTED_WAIVERS` by default
     * @throws as `insertWaiver`
     */
    insertWaivers: (waivers: readonly NewWaiver[], most?: number): Promise<StoredWaiver[]> =>
      inTransaction(db, async (tx) => {
        await assertRoom(tx, waivers, most);
        const inserted: StoredWaiver[] = [];
        for (const waiver of waivers) inserted.push(await insertWaiver(tx, waiver));
        return inserted;
      }),
    /**
     * Saves state, approvals and closing. @throws conflict `WAIVER_CHANGED` after another change
     */
    async save({
      id,
      updatedAt,
      state,
      approvals,
      closed,
    }: Pick<
      StoredWaiver,
      'id' | 'updatedAt' | 'state' | 'approvals' | 'closed'
    >): Promise<StoredWaiver> {
      const data = {
        state,
        approvals: json(approvals),
        closedBy: closed?.by ?? null,
        closedAt: closed?.at ?? null,
        closedReason: closed?.reason ?? null,
        updatedAt: new Date(),
      };
      const { count } = await run(() => db.waiver.updateMany({ where: { id, updatedAt }, data }));
      const saved = must(await find(id), ...MISSING);
      if (count === 0) throw conflict('WAIVER_CHANGED', 'the waiver was changed meanwhile');
      return saved;
    },
    /**
     * Approved waivers that end before `until` and whose end was not announced. Marks at most 500
     * and stores the events that are made of them in one transaction.
     */
    takeEnding: (now: Date, until: Date, eventsOf: WaiverEvents) =>
      take(db, {
        due: Prisma.sql`state = 'approved' AND expires_at > ${now} AND expires_at <= ${until}
          AND reminded_at IS NULL`,
        mark: { remindedAt: now },
        eventsOf,
      }),
    /**
     * As `takeEnding`, for requests that reviewers were not told about, unless they were told about
     * another one after `since`.
     */
    takeRequested: (now: Date, since: Date, eventsOf: WaiverEvents) =>
      take(db, {
        due: Prisma.sql`state = 'requested' AND expires_at > ${now} AND announced_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM waivers told WHERE told.announced_at > ${since})`,
        mark: { announcedAt: now },
        eventsOf,
      }),
    /**
     * Accounts that may review and see some of these requests of others; at most 200.
     */
    reviewersOf: (ids: readonly string[]) => reviewersOf(db, ids),
    /** As `takeEnding`, for requested and approved waivers that ended without a record. */
    takeEnded: (now: Date, eventsOf: WaiverEvents) =>
      take(db, {
        due: Prisma.sql`state = ANY(${OPEN_STATES}) AND expires_at <= ${now} AND expired_at IS NULL`,
        mark: { expiredAt: now },
        eventsOf,
      }),
  };
}

/** Locks the account and the folder until the transaction ends. @throws conflict `WAIVERS_MANY` */
async function assertRoom(
  tx: Connection,
  waivers: readonly NewWaiver[],
  most = MOST_REQUESTED_WAIVERS,
): Promise<void> {
  const places = Map.groupBy(waivers, ({ requestedById, folder }) =>
    JSON.stringify([requestedById, folder]),
  );
  for (const place of [...places.keys()].toSorted()) {
    const [requestedById, folder]: [string, string | null] = JSON.parse(place);
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`waivers ${place}`}))`;
    const open = await tx.waiver.count({
      where: {
        requestedById,
        state: 'requested',
        expiresAt: { gt: new Date() },
        ...(folder === null ? { folderId: null } : { folder: { name: folder } }),
      },
    });
    if (open + (places.get(place)?.length ?? 0) <= most) continue;
    throw conflict(
      'WAIVERS_MANY',
      `At most ${most} waivers of an account wait for a review in a folder; ${open} do.`,
      { detail: { open, most } },
    );
  }
}

async function insertWaiver(
  db: Connection,
  { folder, requestedById, ...rest }: NewWaiver,
): Promise<StoredWaiver> {
  const data = {
    ...rest,
    requestedBy: { connect: { id: requestedById } },
    ...(folder !== null && { folder: { connect: { name: folder } } }),
  };
  return toWaiver(
    await write({ missing: NO_FOLDER }, () => db.waiver.create({ data, include: WITH_NAMES })),
  );
}

const MOST_FIXES = 20;

function insertByPolicy(
  db: Database,
  { folder, digest, requestedById, fixes, vulnerability, expiresAt }: PolicyWaiver,
  event: (id: string) => AuditEvent,
): Promise<boolean> {
  const named = fixes.slice(0, MOST_FIXES);
  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`age ${folder} ${digest}`}))`;
    const where = { byPolicy: true, digest, folder: { name: folder } };
    if ((await tx.waiver.count({ where })) > 0) return false;
    const data = {
      ...{ vulnerability, digest, expiresAt, byPolicy: true },
      ...{ status: 'accepted', state: 'approved' },
      reason: `fixes ${named.join(', ')}${fixes.length > named.length ? ', …' : ''}`,
      requestedBy: { connect: { id: requestedById } },
      folder: { connect: { name: folder } },
    };
    const { id } = await write({ missing: NO_FOLDER }, () => tx.waiver.create({ data }));
    await putReady(tx, [event(id)]);
    return true;
  });
}

async function openOf(
  db: Database,
  {
    vulnerabilities,
    digest,
    visibleTo,
  }: { vulnerabilities: readonly string[]; digest: string } & Pick<WaiverFilter, 'visibleTo'>,
  now: Date,
): Promise<StoredWaiver[]> {
  const where: Prisma.WaiverWhereInput = {
    AND: [
      matching({ visibleTo }, now),
      { OR: [{ digest: null }, { digest }] },
      {
        vulnerability: { in: [...vulnerabilities] },
        state: { in: OPEN_STATES },
        expiresAt: { gt: now },
      },
    ],
  };
  const rows = await run(() =>
    db.waiver.findMany({
      where,
      include: WITH_NAMES,
      orderBy: NEWEST_FIRST,
      take: MOST_TAKEN,
    }),
  );
  return rows.map(toWaiver);
}

async function inForce(db: Database, now: Date): Promise<StoredWaiver[]> {
  const where = { id: { in: await idsInForce(db, Prisma.sql`TRUE`, now) } };
  const rows = await run(() =>
    db.waiver.findMany({ where, include: WITH_NAMES, orderBy: NEWEST_FIRST }),
  );
  return rows.map(toWaiver);
}

async function idsInForce(db: Database, condition: Prisma.Sql, now: Date): Promise<string[]> {
  const rows = await run(
    () => db.$queryRaw<{ id: string }[]>`
      SELECT w.id
        FROM waivers w
        JOIN users u ON u.id = w.requested_by_id
       WHERE ${condition} AND w.state = 'approved' AND w.expires_at > ${now}
         AND (w.by_policy OR NOT u.disabled)
         AND (w.by_policy OR u.is_admin OR u.can_bypass_vuln_block
              OR EXISTS (SELECT 1 FROM folder_grants g
                           JOIN group_members m ON m.group_id = g.group_id
                          WHERE g.folder_id = w.folder_id AND m.user_id = u.id AND ${LETS_ASK}))`,
  );
  return rows.map(({ id }) => id);
}

const MOST_REVIEWERS = 200;

function reviewersOf(db: Database, ids: readonly string[]): Promise<WaiverReviewer[]> {
  return run(
    () => db.$queryRaw<WaiverReviewer[]>`
      SELECT u.id::text AS id, u.email, array_agg(w.id::text ORDER BY w.created_at, w.id) AS waivers
        FROM users u
        JOIN waivers w ON w.requested_by_id <> u.id
       WHERE w.id::text = ANY(${[...ids]}) AND w.state = 'requested'
         AND ${reviews(Prisma.sql`w.folder_id IS NULL`, Prisma.sql`w.folder_id`)}
       GROUP BY u.id, u.email
       ORDER BY u.username_key LIMIT ${MOST_REVIEWERS}`,
  );
}

interface Taking {
  due: Prisma.Sql;
  mark: Pick<Prisma.WaiverUpdateManyMutationInput, 'remindedAt' | 'expiredAt' | 'announcedAt'>;
  eventsOf: WaiverEvents;
}

/** Each waiver is taken once, by one process, with its event. */
function take(db: Database, { due, mark, eventsOf }: Taking): Promise<StoredWaiver[]> {
  return inTransaction(db, async (tx) => {
    const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM waivers WHERE ${due} ORDER BY expires_at, id LIMIT ${MOST_TAKEN}
         FOR UPDATE SKIP LOCKED`;
    const where = { id: { in: locked.map(({ id }) => id) } };
    if (locked.length === 0) return [];
    await tx.waiver.updateMany({ where, data: mark });
    const rows = await tx.waiver.findMany({
      where,
      include: WITH_NAMES,
      orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
    });
    const taken = rows.map(toWaiver);
    await putReady(tx, eventsOf(taken));
    return taken;
  });
}
