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
import { afterKeyed, groupsAfter, keyedOrders, type OrderColumn } from '../../keyed-order.ts';
import type { SummaryRow } from '../job-row.ts';

type Condition = { gt: string } | { lt: string } | { gte: string } | { lte: string } | string;
type OrderedRow = Pick<SummaryRow, 'id' | 'createdAt' | 'image' | 'status' | 'verdict'> & {
  owner: { usernameKey: string };
};
type Column = OrderColumn<OrderedRow, StagingJobOrderByWithRelationInput, StagingJobWhereInput>;

export type VerdictOrder = Extract<JobOrder, 'verdict' | '-verdict'>;

function column(
  of: Column['of'],
  is: (condition: Condition) => StagingJobWhereInput,
  by: Column['by'],
): Column {
  return {
    of,
    by,
    after: (value, direction, equal) =>
      afterKeyed<string, StagingJobWhereInput>(is, { value, direction, equal }),
  };
}

export const jobOrders = keyedOrders(
  {
    image: column(
      ({ image }) => image,
      (image) => ({ image }),
      (image) => [{ image }],
    ),
    status: column(
      ({ status }) => status,
      (status) => ({ status }),
      (status) => [{ status }],
    ),
    owner: column(
      ({ owner }) => owner.usernameKey,
      (usernameKey) => ({ owner: { usernameKey } }),
      (usernameKey) => [{ owner: { usernameKey } }],
    ),
  },
  { verdict: ({ verdict }) => verdict },
);

/** A condition for each verdict, in the order by it. @throws invalid `CURSOR_INVALID` */
export function verdictsAfter(
  order: VerdictOrder,
  cursor: string | null | undefined,
): StagingJobWhereInput[] {
  const verdicts = order === 'verdict' ? VERDICTS_BY_URGENCY : VERDICTS_BY_URGENCY.toReversed();
  return groupsAfter(verdicts, (verdict) => ({ verdict }), { order, cursor });
}
