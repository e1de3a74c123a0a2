/**
 * The orders of the job list: the columns, and where the next page begins. Equal rows are newest
 * first, so that each row has one place. The row of a cursor may have another status by now: the
 * cursor has the one that the page ended with. A page by verdict has the rows of one verdict after
 * those of another.
 */
import { type JobOrder, VERDICTS_BY_URGENCY } from '@portcullis/domain';
import type {
  StagingJobOrderByWithRelationInput,
  StagingJobWhereInput,
} from '../../generated/models.ts';
import {
  afterKeyed,
  byTime,
  cursorAfter,
  type Direction,
  laterThan,
  orderParts,
} from '../../keyed-order.ts';
import { cursorInvalid, decodeCursor, decodeKeyed } from '../../page.ts';
import type { SummaryRow } from '../job-row.ts';

type Condition = { gt: string } | { lt: string } | { gte: string } | { lte: string } | string;
type OrderedRow = Pick<SummaryRow, 'id' | 'createdAt' | 'image' | 'status' | 'verdict'> & {
  owner: { usernameKey: string };
};

export type VerdictOrder = Extract<JobOrder, 'verdict' | '-verdict'>;

interface OrderKey {
  of(row: OrderedRow): string;
  is(condition: Condition): StagingJobWhereInput;
  by(direction: Direction): StagingJobOrderByWithRelationInput[];
}

const KEYS: Record<string, OrderKey> = {
  image: {
    of: ({ image }) => image,
    is: (image) => ({ image }),
    by: (image) => [{ image }],
  },
  status: {
    of: ({ status }) => status,
    is: (status) => ({ status }),
    by: (status) => [{ status }],
  },
  owner: {
    of: ({ owner }) => owner.usernameKey,
    is: (usernameKey) => ({ owner: { usernameKey } }),
    by: (usernameKey) => [{ owner: { usernameKey } }],
  },
  // The rows of each verdict are read apart.
  verdict: { of: ({ verdict }) => verdict, is: (verdict) => ({ verdict }), by: () => [] },
};

/** The columns by which the list is ordered. */
export function orderBy(order: JobOrder): StagingJobOrderByWithRelationInput[] {
  const { key, direction } = partsOf(order);
  return key ? [...key.by(direction), ...byTime('desc')] : byTime(direction);
}

/** The rows after those of the previous page. @throws invalid `CURSOR_INVALID` */
export function afterCursor(
  order: Exclude<JobOrder, VerdictOrder>,
  cursor: string | null | undefined,
): StagingJobWhereInput {
  if (!cursor) return {};
  const { key, direction } = partsOf(order);
  if (!key) return laterThan(decodeCursor(cursor), direction);
  const { value, ...place } = decodeKeyed(order, cursor);
  return afterKeyed<string, StagingJobWhereInput>(key.is, {
    value,
    direction,
    equal: laterThan(place, 'desc'),
  });
}

/** The same by verdict: a condition for each verdict. @throws invalid `CURSOR_INVALID` */
export function verdictsAfter(
  order: VerdictOrder,
  cursor: string | null | undefined,
): StagingJobWhereInput[] {
  const verdicts = order === 'verdict' ? VERDICTS_BY_URGENCY : VERDICTS_BY_URGENCY.toReversed();
  if (!cursor) return verdicts.map((verdict) => ({ verdict }));
  const { value, ...place } = decodeKeyed(order, cursor);
  const from = verdicts.map(String).indexOf(value);
  if (from === -1) throw cursorInvalid();
  const [, ...others] = verdicts.slice(from).map((verdict) => ({ verdict }));
  return [{ AND: [{ verdict: value }, laterThan(place, 'desc')] }, ...others];
}

/** The cursor of the page after this row. */
export function cursorOf(order: JobOrder, row: OrderedRow): string {
  const { key } = partsOf(order);
  return cursorAfter(order, key?.of(row), { at: row.createdAt, id: row.id });
}

function partsOf(order: JobOrder): { key: OrderKey | undefined; direction: Direction } {
  const { key, isDescending } = orderParts(order, KEYS);
  return { key, direction: isDescending ? 'desc' : 'asc' };
}
