import type { Waiver } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useScopeText } from '../../kit/waiver/waiver-words.ts';
import { WaiverEnd, WaiverState } from './waiver-state.tsx';
import classes from './waivers.module.css';

interface WaiverTableProps {
  waivers: Waiver[];
  onOpen(id: string): void;
}

export function WaiverTable({ waivers, onOpen }: WaiverTableProps) {
  const t = useMessages('waivers');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.vulnerability}</th>
          <th scope="col">{t.reason}</th>
          <th scope="col">{t.requestedBy}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.end}</th>
        </tr>
      </thead>
      <tbody>
        {waivers.map((waiver) => (
          <Row key={waiver.id} waiver={waiver} onOpen={() => onOpen(waiver.id)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ waiver, onOpen }: { waiver: Waiver; onOpen(): void }) {
  const t = useMessages('waivers');
  const format = useFormat();
  const scope = useScopeText();
  const { state, approvals, approvals_needed: needed } = waiver;
  const names = approvals.map(({ username }) => username ?? t.deletedAccount);
  return (
    <tr>
      <td>
        <button type="button" className={table.name} onClick={onOpen}>
          {waiver.vulnerability}
        </button>
        <span className={table.under}>{scope(waiver)}</span>
      </td>
      <td className={table.quiet}>
        <span className={classes.why}>{waiver.reason}</span>
        {waiver.ticket !== null && <span className={table.under}>{waiver.ticket}</span>}
      </td>
      <td className={table.quiet} data-label={t.requestedBy}>
        {waiver.requested_by.username}, <RelativeTime at={waiver.created_at} />
        {state === 'approved' && names.length > 0 && (
          <span className={table.under}>
            {t.approvedBy} {format.list(names)}
          </span>
        )}
      </td>
      <td>
        <WaiverState waiver={waiver} />
        {state === 'requested' && needed > 1 && (
          <span className={table.under}>{t.approvals(approvals.length, needed)}</span>
        )}
      </td>
      <td className={`${table.quiet} ${table.nowrap}`}>
        {waiver.closed === null ? <WaiverEnd waiver={waiver} /> : null}
      </td>
    </tr>
  );
}
