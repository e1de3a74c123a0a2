/**
 * The orders of the list of waivers: the columns, and where the next page begins. Equal ones are
 * newest first, so that each has one place. The state depends on the time and may change: the
 * cursor has the one that the page ended with, and a page has the rows of one state after those of
 * another.
 */
import type { WaiverOrder } from '@portcullis/domain';
import type { WaiverOrderByWithRelationInput, WaiverWhereInput } from '../generated/models.ts';
import {
  afterKeyed,
  byTime,
  cursorAfter,
  type Direction,
  laterThan,
  orderParts,
} from '../keyed-order.ts';
import { cursorInvalid, decodeCursor, decodeKeyed } from '../page.ts';
import type { StoredWaiver } from '../port.ts';
import { inState, OPEN_STATES } from './waiver-filter.ts';

export type StateOrder = Extract<WaiverOrder, 'state' | '-state'>;

const STATES = ['requested', 'approved', 'expired', 'rejected', 'revoked'] as const;

interface OrderKey {
  of(waiver: StoredWaiver, now: Date): string;
  by(direction: Direction): WaiverOrderByWithRelationInput[];
  after(value: string, direction: Direction, newest: WaiverWhereInput): WaiverWhereInput;
}

const KEYS: Record<string, OrderKey> = {
  vulnerability: {
    of: ({ vulnerability }) => vulnerability,
    by: (vulnerability) => [{ vulnerability }],
    after: (value, direction, equal) =>
      afterKeyed<string, WaiverWhereInput>((vulnerability) => ({ vulnerability }), {
        value,
        direction,
        equal,
      }),
  },
  expires_at: {
    of: ({ expiresAt }) => String(expiresAt.getTime()),
    by: (expiresAt) => [{ expiresAt }],
    after: (value, direction, equal) =>
      afterKeyed<Date, WaiverWhereInput>((expiresAt) => ({ expiresAt }), {
        value: timeOf(value),
        direction,
        equal,
      }),
  },
  // The rows of each state are read apart.
  state: { of: stateOf, by: () => [], after: () => ({}) },
};

/** The columns by which the list is ordered. */
export function orderBy(order: WaiverOrder): WaiverOrderByWithRelationInput[] {
  const { key, direction } = partsOf(order);
  return key ? [...key.by(direction), ...byTime('desc')] : byTime(direction);
}

/** The waivers after those of the previous page. @throws invalid `CURSOR_INVALID` */
export function afterCursor(
  order: Exclude<WaiverOrder, StateOrder>,
  cursor: string | null | undefined,
): WaiverWhereInput {
  if (!cursor) return {};
  const { key, direction } = partsOf(order);
  if (!key) return laterThan(decodeCursor(cursor), direction);
  const { value, ...place } = decodeKeyed(order, cursor);
  return key.after(value, direction, laterThan(place, 'desc'));
}

/** The same in the order by state: a condition for each state. @throws invalid `CURSOR_INVALID` */
export function statesAfter(
  order: StateOrder,
  cursor: string | null | undefined,
  now: Date,
): WaiverWhereInput[] {
  const states = order === 'state' ? STATES : STATES.toReversed();
  if (!cursor) return states.map((state) => inState(state, now));
  const { value, ...place } = decodeKeyed(order, cursor);
  const from = states.map(String).indexOf(value);
  if (from === -1) throw cursorInvalid();
  const [first, ...others] = states.slice(from).map((state) => inState(state, now));
  return [{ AND: [first ?? {}, laterThan(place, 'desc')] }, ...others];
}

/** The cursor of the page after this waiver. */
export function cursorOf(order: WaiverOrder, waiver: StoredWaiver, now: Date): string {
  const { key } = partsOf(order);
  return cursorAfter(order, key?.of(waiver, now), { at: waiver.createdAt, id: waiver.id });
}

function partsOf(order: WaiverOrder): { key: OrderKey | undefined; direction: Direction } {
  const { key, isDescending } = orderParts(order, KEYS);
  return { key, direction: isDescending ? 'desc' : 'asc' };
}

function stateOf({ state, expiresAt }: StoredWaiver, now: Date): string {
  return OPEN_STATES.includes(state) && expiresAt <= now ? 'expired' : state;
}

function timeOf(value: string): Date {
  const at = new Date(/^\d{1,15}$/.test(value) ? Number(value) : Number.NaN);
  if (Number.isNaN(at.getTime())) throw cursorInvalid();
  return at;
}
