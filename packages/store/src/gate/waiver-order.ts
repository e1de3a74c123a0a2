/**
 * The orders of the list of waivers: the columns, and where the next page begins. Equal ones are
 * newest first, so that each has one place. The state depends on the time and may change: the
 * cursor has the one that the page ended with, and a page has the rows of one state after those of
 * another.
 */
import type { WaiverOrder } from '@portcullis/domain';
import type { WaiverOrderByWithRelationInput, WaiverWhereInput } from '../generated/models.ts';
import { afterKeyed, groupsAfter, keyedOrders, type OrderColumn, timeOf } from '../keyed-order.ts';
import type { StoredWaiver } from './records.ts';
import { inState, OPEN_STATES } from './waiver-filter.ts';

export type StateOrder = Extract<WaiverOrder, 'state' | '-state'>;

const STATES = ['requested', 'approved', 'expired', 'rejected', 'revoked'] as const;

type Column = OrderColumn<StoredWaiver, WaiverOrderByWithRelationInput, WaiverWhereInput>;

const VULNERABILITY: Column = {
  of: ({ vulnerability }) => vulnerability,
  by: (vulnerability) => [{ vulnerability }],
  after: (value, direction, equal) =>
    afterKeyed<string, WaiverWhereInput>((vulnerability) => ({ vulnerability }), {
      value,
      direction,
      equal,
    }),
};

const EXPIRES_AT: Column = {
  of: ({ expiresAt }) => String(expiresAt.getTime()),
  by: (expiresAt) => [{ expiresAt }],
  after: (value, direction, equal) =>
    afterKeyed<Date, WaiverWhereInput>((expiresAt) => ({ expiresAt }), {
      value: timeOf(value),
      direction,
      equal,
    }),
};

export function waiverOrders(now: Date) {
  return keyedOrders(
    { vulnerability: VULNERABILITY, expires_at: EXPIRES_AT },
    { state: (waiver) => stateOf(waiver, now) },
  );
}

/** A condition for each state, in the order by it. @throws invalid `CURSOR_INVALID` */
export function statesAfter(
  order: StateOrder,
  cursor: string | null | undefined,
  now: Date,
): WaiverWhereInput[] {
  const states = order === 'state' ? STATES : STATES.toReversed();
  return groupsAfter(states, (state) => inState(state, now), { order, cursor });
}

function stateOf({ state, expiresAt }: StoredWaiver, now: Date): string {
  return OPEN_STATES.includes(state) && expiresAt <= now ? 'expired' : state;
}
