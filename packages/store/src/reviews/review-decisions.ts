/** Saves what becomes of review requests, with the waivers that an approval leaves behind. */
import { conflict } from '@portcullis/errors';
import { putReady } from '../audit/outbox.ts';
import { type Connection, type Database, inTransaction, Prisma } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type {
  DueReviewPushes,
  LeftWaiver,
  ReviewEvents,
  SettledReviewPush,
  StoredReview,
} from './records.ts';
import { insertComment } from './review-comments.ts';
import { toReview, WITH_NAMES, WITHOUT_FINDINGS } from './review-row.ts';

/**
 * Saves state, approvals, push and closing of an open request, and inserts the waivers, in one
 * transaction.
 * @throws conflict `REVIEW_CHANGED` after another change
 */
export function saveReview(
  db: Database,
  review: StoredReview,
  left: readonly LeftWaiver[],
): Promise<void> {
  const { number, updatedAt, state, approvals, approved, push, closed, until } = review;
  const now = new Date();
  const data = {
    state,
    approvals: json(approvals),
    approved,
    until,
    pushState: push?.state ?? null,
    pushCode: push?.code ?? null,
    pushAt: push?.state === 'due' ? now : null,
    closedById: closed?.accountId ?? null,
    closedBy: closed?.username ?? null,
    closedAt: closed?.at ?? null,
    closedComment: closed?.comment ?? null,
    updatedAt: now,
  };
  return inTransaction(db, async (tx) => {
    // What is closed stays as it is, whatever the clock says.
    const where = { number, updatedAt, state: 'open' };
    const { count } = await tx.review.updateMany({ where, data });
    if (count === 0) throw conflict('REVIEW_CHANGED', 'the request was changed meanwhile');
    if (left.length > 0) await insertLeft(tx, review, left);
  });
}

async function insertLeft(
  tx: Connection,
  { number, reason, ticket, until, requestedById, approvals, createdAt }: StoredReview,
  left: readonly LeftWaiver[],
): Promise<void> {
  const { folderId } = await tx.review.findUniqueOrThrow({
    where: { number },
    select: { folderId: true },
  });
  const approvedBy = approvals.map(({ accountId, username, at }) => ({ accountId, username, at }));
  const shared = {
    ...{ folderId, reason, ticket, requestedById, reviewNumber: number },
    ...{ status: 'accepted', state: 'approved', approvals: json(approvedBy), expiresAt: until },
    createdAt,
    // Reviewers are not asked about what is approved.
    announcedAt: new Date(),
  };
  const data = left.map(({ folder: _, ...scope }) => ({ ...scope, ...shared }));
  await tx.waiver.createMany({ data });
}

const MOST_TAKEN = 200;

/** Ends open requests past their time, each once, by one process, with its event. */
export function takeExpired(
  db: Database,
  now: Date,
  eventsOf: ReviewEvents,
): Promise<StoredReview[]> {
  return inTransaction(db, async (tx) => {
    const locked = await tx.$queryRaw<{ number: number }[]>`
      SELECT number FROM reviews WHERE state = 'open' AND ends_at <= ${now}
       ORDER BY ends_at, number LIMIT ${MOST_TAKEN} FOR UPDATE SKIP LOCKED`;
    if (locked.length === 0) return [];
    const where = { number: { in: locked.map(({ number }) => number) } };
    await tx.review.updateMany({
      where,
      data: { state: 'expired', closedAt: now, updatedAt: now },
    });
    await tx.review.updateMany({
      where: { ...where, pushState: 'wanted' },
      data: { pushState: 'dropped' },
    });
    const ended = await read(tx, where);
    await putReady(tx, eventsOf(ended));
    return ended;
  });
}

/** Requests whose push is due, each under a lease, so that one process requests it. */
export async function takeDuePushes(
  db: Database,
  { now, lease, number }: DueReviewPushes,
): Promise<StoredReview[]> {
  return inTransaction(db, async (tx) => {
    const only = number === undefined ? Prisma.sql`TRUE` : Prisma.sql`number = ${number}`;
    const locked = await tx.$queryRaw<{ number: number }[]>`
      SELECT number FROM reviews WHERE push_state = 'due' AND push_at <= ${now} AND ${only}
       ORDER BY push_at, number LIMIT ${MOST_TAKEN} FOR UPDATE SKIP LOCKED`;
    if (locked.length === 0) return [];
    const where = { number: { in: locked.map((each) => each.number) } };
    await tx.review.updateMany({ where, data: { pushAt: lease } });
    return read(tx, where);
  });
}

/** Once: a second process finds that the push is no longer due. */
export function settlePush(
  db: Database,
  number: number,
  { state, code, comment, event }: SettledReviewPush,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { count } = await tx.review.updateMany({
      where: { number, pushState: 'due' },
      data: { pushState: state, pushCode: code, pushAt: null },
    });
    if (count === 0) return false;
    if (comment) await insertComment(tx, number, comment);
    if (event) await putReady(tx, [event]);
    return true;
  });
}

async function read(tx: Connection, where: object): Promise<StoredReview[]> {
  const rows = await tx.review.findMany({
    where,
    include: WITH_NAMES,
    omit: WITHOUT_FINDINGS,
    orderBy: { number: 'asc' },
  });
  return rows.map(toReview);
}
