import type { Waiver } from '@portcullis/contract';
import { useCallback, useMemo } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { type Messages, useMessages } from '../../i18n/messages.ts';
import { useSteady } from '../../kit/steady.ts';
import type { Column, Sorting } from '../../kit/table/columns.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { SelectedRows } from '../../kit/table/selected-rows.ts';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useScopeText } from '../../kit/waiver/waiver-words.ts';
import { WaiverEnd, WaiverState } from './waiver-state.tsx';
import classes from './waivers.module.css';

interface WaiverTableProps {
  waivers: readonly Waiver[];
  sorting: Sorting;
  /** Absent for accounts that don't review. */
  selection: SelectedRows | undefined;
  onOpen(id: string): void;
}

export function WaiverTable({ waivers, sorting, selection, onOpen }: WaiverTableProps) {
  return (
    <DataTable
      rows={waivers}
      columns={useColumns(onOpen)}
      keyOf={waiverKey}
      nameOf={useName()}
      sorting={sorting}
      selection={selection}
    />
  );
}

export const waiverKey = ({ id }: Waiver): string => id;

/** Waivers of one vulnerability differ in their scope. */
function useName(): (waiver: Waiver) => string {
  const scope = useScopeText();
  return useCallback((waiver) => `${waiver.vulnerability}, ${scope(waiver)}`, [scope]);
}

function useColumns(open: WaiverTableProps['onOpen']): Column<Waiver>[] {
  const t = useMessages('waivers');
  const onOpen = useSteady(open);
  return useMemo(() => columnsOf(t, onOpen), [t, onOpen]);
}

function columnsOf(t: Messages['waivers'], onOpen: WaiverTableProps['onOpen']): Column<Waiver>[] {
  return [
    {
      id: 'vulnerability',
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
    {
      id: 'requested',
      title: t.requestedAt,
      sort: 'created_at',
      descendsFirst: true,
      label: t.requestedAt,
      className: `${table.quiet} ${table.nowrap}`,
      width: '120px',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    {
      id: 'state',
      title: t.state,
      sort: 'state',
      width: '12%',
      cell: (waiver) => <State waiver={waiver} />,
    },
    {
      id: 'end',
      title: t.end,
      sort: 'expires_at',
      className: `${table.quiet} ${table.nowrap}`,
      width: '150px',
      cell: (waiver) => waiver.closed === null && <WaiverEnd waiver={waiver} />,
    },
  ];
}

interface CellProps {
  waiver: Waiver;
}

function Accepted({ waiver, onOpen }: CellProps & Pick<WaiverTableProps, 'onOpen'>) {
  const scope = useScopeText();
  return (
    <>
      <button type="button" className={table.name} onClick={() => onOpen(waiver.id)}>
        {waiver.vulnerability}
      </button>
      <span className={table.under}>{scope(waiver)}</span>
    </>
  );
}

function Requester({ waiver: { requested_by, state, approvals } }: CellProps) {
  const t = useMessages('waivers');
  const format = useFormat();
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
