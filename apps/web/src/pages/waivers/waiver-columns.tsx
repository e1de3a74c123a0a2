/** Defines the columns of waivers. */
import type { Waiver } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { useScopeText } from '../../kit/waiver/waiver-words.ts';
import { useWaivedName } from './use-waived-name.ts';
import { WaiverEnd, WaiverState } from './waiver-state.tsx';
import classes from './waivers.module.css';

type OnOpen = (id: string) => void;

/** @param onOpen the same in each render */
export const useWaiverColumns = defineColumns(
  'waivers',
  (t, _, onOpen: OnOpen): Column<Waiver>[] => [
    {
      title: t.vulnerability,
      sort: 'vulnerability',
      cell: (waiver) => <Accepted waiver={waiver} onOpen={onOpen} />,
    },
    {
      id: 'reason',
      title: t.reason,
      className: table.quiet,
      width: '26%',
      cell: ({ reason, ticket }) => (
        <>
          <span className={classes.why}>{reason}</span>
          {ticket !== null && <span className={table.under}>{ticket}</span>}
        </>
      ),
    },
    {
      id: 'requestedBy',
      title: t.requestedBy,
      label: t.requestedBy,
      className: table.quiet,
      width: '14%',
      cell: (waiver) => <Requester waiver={waiver} />,
    },
    timeColumn('created_at', t.requestedAt, { label: t.requestedAt, width: '120px' }),
    {
      title: t.state,
      sort: 'state',
      width: '12%',
      cell: (waiver) => <State waiver={waiver} />,
    },
    {
      title: t.end,
      sort: 'expires_at',
      className: `${table.quiet} ${table.nowrap}`,
      width: '150px',
      cell: (waiver) => waiver.closed === null && <WaiverEnd waiver={waiver} />,
    },
  ],
);

interface CellProps {
  waiver: Waiver;
}

function Accepted({ waiver, onOpen }: CellProps & { onOpen: OnOpen }) {
  const scope = useScopeText();
  const nameOf = useWaivedName();
  return (
    <RowName onOpen={() => onOpen(waiver.id)} under={scope(waiver)}>
      {nameOf(waiver.vulnerability)}
    </RowName>
  );
}

function Requester({ waiver: { requested_by, state, approvals } }: CellProps) {
  const [t, format] = useWords('waivers');
  const names = approvals.map(({ username }) => username ?? t.deletedAccount);
  return (
    <>
      {requested_by.username}
      {state === 'approved' && names.length > 0 && (
        <span className={table.under}>
          {t.approvedBy} {format.list(names)}
        </span>
      )}
    </>
  );
}

function State({ waiver }: CellProps) {
  const t = useMessages('waivers');
  const { state, approvals, approvals_needed: needed } = waiver;
  return (
    <>
      <WaiverState waiver={waiver} />
      {state === 'requested' && needed > 1 && (
        <span className={table.under}>{t.approvals(approvals.length, needed)}</span>
      )}
    </>
  );
}
