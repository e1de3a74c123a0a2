/** The images of a plan: problems first, unless another order is in the address. */
import type { TransferPlan } from '@portcullis/contract';
import { useWords } from '../../../i18n/messages.ts';
import { type Column, defineColumns } from '../../../kit/table/columns.tsx';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import table from '../../../kit/table/table.module.css';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';
import classes from '../transfers.module.css';
import { GateBadge, GateReason, gateOf } from './plan-gate.tsx';
import { usePlanReason } from './plan-reason.ts';

type Item = TransferPlan['items'][number];
export type PlanState = Item['state'];

export const PROBLEMS = ['refused', 'failed'] as const;
export const OTHERS = ['skipped', 'copy', 'present', 'not_looked_at'] as const;
const ORDER: readonly (PlanState | 'blocked')[] = [...PROBLEMS, 'blocked', ...OTHERS];
export const TONES: Record<PlanState, Tone> = {
  copy: 'wait',
  present: 'good',
  refused: 'critical',
  failed: 'high',
  not_looked_at: 'unknown',
  skipped: 'wait',
};

const ROW_HEIGHT = 41;

/** Null where nothing is copied, or where its size is not known. */
function bytesOf({ state, bytes_to_move: bytes }: Item): number | null {
  return state === 'copy' ? bytes : null;
}

export function PlanTable({ items }: { items: readonly Item[] }) {
  const columns = useColumns();
  return (
    <SortedTable
      rows={items}
      first="outcome"
      columns={columns}
      keyOf={itemKey}
      className={table.steady}
      rowHeight={ROW_HEIGHT}
    />
  );
}

const itemKey = ({ index, tag }: Item): string => `${index} ${tag}`;

const useColumns = defineColumns('batch', (t, format): Column<Item>[] => [
  {
    title: t.image,
    sort: 'image',
    by: ({ repository, tag }) => `${repository}:${tag ?? ''}`,
    className: table.wrap,
    cell: ({ repository, tag }) => (
      <>
        {repository}
        <span className={table.prefix}>:{tag === null ? t.allTags : tag}</span>
      </>
    ),
  },
  {
    title: t.outcome,
    sort: 'outcome',
    by: (item) => ORDER.indexOf(gateOf(item) === 'blocked' ? 'blocked' : item.state),
    cell: (item) => <Outcome item={item} />,
  },
  {
    title: t.destination,
    sort: 'destination',
    by: ({ destination }) => destination,
    className: classes.destination,
    cell: ({ destination }) => destination,
  },
  {
    title: t.size,
    sort: 'size',
    by: bytesOf,
    descendsFirst: true,
    className: `${table.number} ${table.quiet} ${classes.sizeColumn}`,
    width: '110px',
    cell(item) {
      const bytes = bytesOf(item);
      return bytes !== null && format.bytes(bytes);
    },
  },
]);

function Outcome({ item }: { item: Item }) {
  const [t, format] = useWords('batch');
  const reasonOf = usePlanReason();
  const { until } = item;
  const reason = until === null ? reasonOf(item) : t.tooYoung(format.dateTime(until));
  const gate = gateOf(item);
  return (
    <>
      <span className={table.badges}>
        <Badge tone={TONES[item.state]}>{t.state[item.state]}</Badge>
        {gate !== null && <GateBadge state={gate} />}
      </span>
      {item.decision !== null && <GateReason decision={item.decision} />}
      {reason !== null && <div className={table.reason}>{reason}</div>}
    </>
  );
}
