/** The tag patterns of a transfer and their results. */
import type { SelectionView } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { useJobFaultText } from '../../kit/fault/job-fault.tsx';
import type { SortValues } from '../../kit/table/column-order.ts';
import { type Column, defineColumns } from '../../kit/table/columns.tsx';
import { SortedTable } from '../../kit/table/sorted-table.tsx';
import table from '../../kit/table/table.module.css';
import classes from './transfers.module.css';

const ROW_HEIGHT = 39;

/** The most urgent first. */
const STATES: readonly SelectionView['state'][] = ['failed', 'queued', 'cancelled', 'done'];
const VALUES: SortValues<SelectionView> = {
  index: ({ index }) => index,
  pattern: ({ repository, match }) => `${repository}:${patternText(match)}`,
  state: ({ state }) => STATES.indexOf(state),
};

export function TagSelections({ selections }: { selections: readonly SelectionView[] }) {
  const columns = useColumns();
  if (selections.length === 0) return null;
  return (
    <SortedTable
      rows={selections}
      values={VALUES}
      first="index"
      parameter="pattern_sort"
      columns={columns}
      keyOf={selectionKey}
      className={table.steady}
      rowHeight={ROW_HEIGHT}
    />
  );
}

const selectionKey = ({ index }: SelectionView): string => String(index);

const useColumns = defineColumns('transfers', (t): Column<SelectionView>[] => [
  {
    title: t.selections,
    sort: 'pattern',
    className: classes.planned,
    cell: ({ repository, match }) => (
      <>
        {repository}
        <span className={table.prefix}>:{patternText(match)}</span>
      </>
    ),
  },
  {
    title: t.state,
    sort: 'state',
    className: table.quiet,
    cell: (selection) => <Outcome selection={selection} />,
  },
]);

function Outcome({ selection }: { selection: SelectionView }) {
  const t = useMessages('transfers');
  const faultText = useJobFaultText();
  const { state, error, tags_seen, jobs_made } = selection;
  if (error !== null) return <span className={classes.fault}>{faultText(error)}</span>;
  return state === 'queued' ? t.looking : t.pattern(tags_seen, jobs_made);
}

function patternText(match: SelectionView['match']): string {
  if ('glob' in match) return match.glob;
  return 'regex' in match ? match.regex : match.semver;
}
