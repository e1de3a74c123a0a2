/** Which waivers a list has. */
import type { WaiverState } from '@portcullis/domain';
import type { WaiverWhereInput } from '../generated/models.ts';
import type { WaiverFilter } from '../port.ts';

export const OPEN_STATES = ['requested', 'approved'];

type Conditions = Omit<WaiverFilter, 'limit' | 'cursor' | 'sort'>;

export function matching(
  { state, vulnerability, q, folder, reviewableBy, visibleTo }: Conditions,
  now: Date,
): WaiverWhereInput {
  const conditions: WaiverWhereInput[] = [
    ...(state === undefined ? [] : [inState(state, now)]),
    ...(vulnerability === undefined ? [] : [{ vulnerability }]),
    ...(q === undefined || q === ''
      ? []
      : [{ vulnerability: { contains: q, mode: 'insensitive' as const } }]),
    ...(reviewableBy === undefined
      ? []
      : [
          inState('requested', now),
          { requestedById: { not: reviewableBy } },
          { NOT: { approvals: { array_contains: [{ accountId: reviewableBy }] } } },
        ]),
    ...(folder === undefined ? [] : [{ folder: { name: folder } }]),
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

export function inState(state: WaiverState | 'expired', now: Date): WaiverWhereInput {
  if (state === 'expired') return { state: { in: OPEN_STATES }, expiresAt: { lte: now } };
  return OPEN_STATES.includes(state) ? { state, expiresAt: { gt: now } } : { state };
}
