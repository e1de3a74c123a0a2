/**
 * The orders of the list of schedules: the columns, and where the next page begins. Those without a
 * time are the last in both directions; equal ones are newest first, so that each has one place.
 */
import type { Schedule as Row } from '../generated/client.ts';
import type { ScheduleOrderByWithRelationInput, ScheduleWhereInput } from '../generated/models.ts';
import { afterKeyed, keyedOrders, type OrderColumn, timeOf } from '../keyed-order.ts';

type Column = OrderColumn<Row, ScheduleOrderByWithRelationInput, ScheduleWhereInput>;

const NAME: Column = {
  of: ({ name }) => name,
  by: (name) => [{ name }],
  after: (value, direction, equal) =>
    afterKeyed<string, ScheduleWhereInput>((name) => ({ name }), { value, direction, equal }),
};

/** In a cursor the place of a schedule without the time. */
const NO_TIME = '';

function timeColumn(column: 'nextRunAt' | 'lastRunAt'): Column {
  const none: ScheduleWhereInput = { [column]: null };
  return {
    of: (row) => String(row[column]?.getTime() ?? NO_TIME),
    by: (sort) => [{ [column]: { sort, nulls: 'last' } }],
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

export const scheduleOrders = keyedOrders({
  name: NAME,
  next_run: timeColumn('nextRunAt'),
  last_run: timeColumn('lastRunAt'),
});
