/** Lists review requests page by page, the newest first, and counts them. */
import {
  type ReviewState,
  type ReviewViewer,
  searchedDigest,
  searchedWords,
} from '@portcullis/domain';
import { type Database, run } from '../database.ts';
import type { ReviewWhereInput } from '../generated/models.ts';
import { contains, startsWith } from '../like.ts';
import { cursorInvalid, type Page, pageSize, type WaitingCount } from '../page.ts';
import type { ReviewFilter, StoredReview } from './records.ts';
import { toReview, WITH_NAMES, WITHOUT_FINDINGS } from './review-row.ts';

type Conditions = Omit<ReviewFilter, 'limit' | 'cursor'>;

export async function listReviews(
  db: Database,
  { limit, cursor, ...filter }: ReviewFilter,
  now: Date,
): Promise<Page<StoredReview>> {
  const where = matching(filter, now);
  const size = pageSize(limit);
  const [rows, total] = await run(() =>
    Promise.all([
      db.review.findMany({
        where: { AND: [where, after(cursor)] },
        include: WITH_NAMES,
        omit: WITHOUT_FINDINGS,
        orderBy: { number: 'desc' },
        // One row more than requested shows whether there is a next page.
        take: size + 1,
      }),
      db.review.count({ where }),
    ]),
  );
  const items = rows.slice(0, size).map(toReview);
  const last = items.at(-1);
  const nextCursor = rows.length > size && last ? String(last.number) : null;
  return { items, total, nextCursor };
}

export function countReviews(db: Database, filter: Conditions, now: Date): Promise<number> {
  return run(() => db.review.count({ where: matching(filter, now) }));
}

/** How many match, and how long they have been there. */
export async function waitingReviews(
  db: Database,
  filter: Conditions,
  now: Date,
): Promise<WaitingCount> {
  const where = matching(filter, now);
  const found = await run(() =>
    db.review.aggregate({ where, _count: true, _min: { createdAt: true } }),
  );
  return { count: found._count, oldestAt: found._min.createdAt };
}

/** The number is the place in the list. @throws invalid `CURSOR_INVALID` */
function after(cursor: string | null | undefined): ReviewWhereInput {
  if (!cursor) return {};
  if (!/^\d{1,9}$/.test(cursor)) throw cursorInvalid();
  return { number: { lt: Number(cursor) } };
}

function matching(
  { state, folder, requestedById, decidedBy, q, reviewableBy, visibleTo }: Conditions,
  now: Date,
): ReviewWhereInput {
  const conditions: ReviewWhereInput[] = [
    ...(state === undefined ? [] : [inState(state, now)]),
    ...(folder === undefined ? [] : [{ folder: { name: folder } }]),
    ...(requestedById === undefined ? [] : [{ requestedById }]),
    ...(decidedBy === undefined ? [] : [withDecisionOf(decidedBy)]),
    ...(reviewableBy === undefined ? [] : reviewable(reviewableBy, now)),
    ...wordsOf(q),
    ...(visibleTo === undefined ? [] : [visible(visibleTo)]),
  ];
  return { AND: conditions };
}

export function inState(state: ReviewState, now: Date): ReviewWhereInput {
  if (state === 'open') return { state, endsAt: { gt: now } };
  if (state === 'expired') return { OR: [{ state }, { state: 'open', endsAt: { lte: now } }] };
  return { state };
}

function reviewable(accountId: string, now: Date): ReviewWhereInput[] {
  return [
    inState('open', now),
    { requestedById: { not: accountId } },
    // Most have none, which takes less time to see.
    {
      OR: [
        { approvals: { equals: [] } },
        { NOT: { approvals: { array_contains: [{ accountId }] } } },
      ],
    },
  ];
}

function withDecisionOf(accountId: string): ReviewWhereInput {
  return {
    OR: [
      { closedById: accountId, state: 'rejected' },
      { approvals: { array_contains: [{ accountId }] } },
    ],
  };
}

function visible({ accountId, folders, external }: ReviewViewer): ReviewWhereInput {
  return {
    OR: [
      { requestedById: accountId },
      { folder: { name: { in: [...folders] } } },
      ...(external ? [{ kind: 'registry' }] : []),
    ],
  };
}

const CVE = /^cve-\d{4}-\d{4,}$/i;
/** Such as `GHSA-…`; tickets may have the same form. */
const OTHER_ID = /^[a-z]{2,10}-[a-z0-9-]{4,}$/i;

/** A whole id of a vulnerability is looked up in the index of them. */
function wordsOf(q: string | undefined): ReviewWhereInput[] {
  return searchedWords(q ?? '').map((word) => {
    const ofId = { vulnerabilities: { hasSome: [word, word.toUpperCase()] } };
    if (CVE.test(word)) return ofId;
    const begun = searchedDigest(word);
    return {
      OR: [
        { searchText: contains(word.toLowerCase()) },
        ...(begun === null ? [] : [{ digest: startsWith(begun) }]),
        ...(OTHER_ID.test(word) ? [ofId] : []),
      ],
    };
  });
}
