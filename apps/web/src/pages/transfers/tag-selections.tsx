import type { SelectionView } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { useJobFaultText } from '../../kit/fault/job-fault.tsx';
import table from '../../kit/table/table.module.css';
import { VirtualRows } from '../../kit/virtual/virtual-rows.tsx';
import classes from './transfers.module.css';

const ROW_HEIGHT = 39;

/** The tag patterns of a transfer and their results. */
export function TagSelections({ selections }: { selections: SelectionView[] }) {
  const t = useMessages('transfers');
  if (selections.length === 0) return null;
  return (
    <table className={`${table.table} ${table.steady}`} aria-rowcount={selections.length + 1}>
      <thead>
        <tr>
          <th scope="col">{t.selections}</th>
          <th scope="col">{t.state}</th>
        </tr>
      </thead>
      <VirtualRows
        rows={selections}
        keyOf={({ index }) => String(index)}
        columns={2}
        height={ROW_HEIGHT}
      >
        {(selection, { key, ...place }) => (
          <tr key={key} {...place}>
            <td>
              {selection.repository}
              <span className={table.prefix}>:{patternText(selection.match)}</span>
            </td>
            <td className={table.quiet}>
              <Outcome selection={selection} />
            </td>
          </tr>
        )}
      </VirtualRows>
    </table>
  );
}

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
