/**
 * The orders of the list of schedules: the columns, and where the next page begins. Those without a
 * time are the last in both directions; equal ones are newest first, so that each has one place.
 */
import type { ScheduleOrder } from '@portcullis/domain';
import type { Schedule as Row } from '../generated/client.ts';
import type { ScheduleOrderByWithRelationInput, ScheduleWhereInput } from '../generated/models.ts';
import {
  afterKeyed,
  byTime,
  cursorAfter,
  type Direction,
  laterThan,
  orderParts,
} from '../keyed-order.ts';
import { cursorInvalid, decodeCursor, decodeKeyed, timeIn } from '../page.ts';

interface OrderKey {
  of(row: Row): string;
  by(direction: Direction): ScheduleOrderByWithRelationInput;
  after(value: string, direction: Direction, equal: ScheduleWhereInput): ScheduleWhereInput;
}

const KEYS: Record<string, OrderKey> = {
  name: {
    of: ({ name }) => name,
    by: (name) => ({ name }),
    after: (value, direction, equal) =>
      afterKeyed<string, ScheduleWhereInput>((name) => ({ name }), { value, direction, equal }),
  },
  next_run: timeKey('nextRunAt'),
  last_run: timeKey('lastRunAt'),
};

/** In a cursor the place of a schedule without the time. */
const NO_TIME = '';

function timeKey(column: 'nextRunAt' | 'lastRunAt'): OrderKey {
  const none: ScheduleWhereInput = { [column]: null };
  return {
    of: (row) => String(row[column]?.getTime() ?? NO_TIME),
    by: (sort) => ({ [column]: { sort, nulls: 'last' } }),
    after: (value, direction, equal) =>
      value === NO_TIME
        ? { AND: [none, equal] }
        : {
            OR: [
              none,
              afterKeyed((at) => ({ [column]: at }), { value: timeOf(value), direction, equal }),
            ],
          },
  };
}

function timeOf(value: string): Date {
  if (!/^\d{1,15}$/.test(value)) throw cursorInvalid();
  return timeIn(Number(value));
}

/** The columns by which the list is ordered. */
export function schedulesBy(order: ScheduleOrder): ScheduleOrderByWithRelationInput[] {
  const { key, direction } = partsOf(order);
  return key ? [key.by(direction), ...byTime('desc')] : byTime(direction);
}

/** The schedules after those of the previous page. @throws invalid `CURSOR_INVALID` */
export function schedulesAfter(
  order: ScheduleOrder,
  cursor: string | null | undefined,
): ScheduleWhereInput {
  if (!cursor) return {};
  const { key, direction } = partsOf(order);
  if (!key) return laterThan(decodeCursor(cursor), direction);
  const { value, ...place } = decodeKeyed(order, cursor);
  return key.after(value, direction, laterThan(place, 'desc'));
}

/** The cursor of the page after this schedule. */
export function cursorOf(order: ScheduleOrder, row: Row): string {
  const { key } = partsOf(order);
  return cursorAfter(order, key?.of(row), { at: row.createdAt, id: row.id });
}

function partsOf(order: ScheduleOrder): { key: OrderKey | undefined; direction: Direction } {
  const { key, isDescending } = orderParts(order, KEYS);
  return { key, direction: isDescending ? 'desc' : 'asc' };
}
