/** Which waivers a list has. */
import { searchedDigest, searchedWords, type WaiverState } from '@portcullis/domain';
import { keyOf } from '../accounts/users.ts';
import type { WaiverWhereInput } from '../generated/models.ts';
import { contains, startsWith } from '../like.ts';
import type { WaiverFilter } from './records.ts';

export const OPEN_STATES = ['requested', 'approved'];

type Conditions = Omit<WaiverFilter, 'limit' | 'cursor' | 'sort'>;

export function matching(
  {
    state,
    vulnerability,
    q,
    folder,
    review,
    requestedBy,
    reviewableBy,
    visibleTo,
    ...times
  }: Conditions,
  now: Date,
): WaiverWhereInput {
  const conditions: WaiverWhereInput[] = [
    ...(state === undefined ? [] : [inState(state, now)]),
    ...(vulnerability === undefined ? [] : [{ vulnerability }]),
    ...searchedWords(q ?? '').map(searched),
    ...(reviewableBy === undefined
      ? []
      : [
          inState('requested', now),
          { requestedById: { not: reviewableBy } },
          { NOT: { approvals: { array_contains: [{ accountId: reviewableBy }] } } },
        ]),
    ...(folder === undefined ? [] : [{ folder: { name: folder } }]),
    ...(review === undefined ? [] : [{ reviewNumber: review }]),
    ...(requestedBy === undefined ? [] : [{ requestedBy: { usernameKey: keyOf(requestedBy) } }]),
    within(times),
    ...(visibleTo === undefined
      ? []
      : [
          {
            OR: [
              { requestedById: visibleTo.accountId },
              { folder: { name: { in: [...visibleTo.folders] } } },
              { folderId: null },
            ],
          },
        ]),
  ];
  return { AND: conditions };
}

/** In what the list shows of a waiver. */
function searched(word: string): WaiverWhereInput {
  const found = contains(word);
  const begun = searchedDigest(word);
  return {
    OR: [
      ...(['vulnerability', 'package', 'repository', 'ticket', 'reason'] as const).map(
        (column) => ({ [column]: found }),
      ),
      ...(begun === null ? [] : [{ digest: startsWith(begun) }]),
      { folder: { name: found } },
      { requestedBy: { username: found } },
    ],
  };
}

type Times = Pick<Conditions, 'since' | 'until' | 'endsAfter' | 'endsBefore'>;

function within({ since, until, endsAfter, endsBefore }: Times): WaiverWhereInput {
  return {
    ...((since ?? until) && {
      createdAt: { ...(since && { gte: since }), ...(until && { lt: until }) },
    }),
    ...((endsAfter ?? endsBefore) && {
      expiresAt: { ...(endsAfter && { gt: endsAfter }), ...(endsBefore && { lt: endsBefore }) },
    }),
  };
}

export function inState(state: WaiverState | 'expired', now: Date): WaiverWhereInput {
  if (state === 'expired') return { state: { in: OPEN_STATES }, expiresAt: { lte: now } };
  return OPEN_STATES.includes(state) ? { state, expiresAt: { gt: now } } : { state };
}
