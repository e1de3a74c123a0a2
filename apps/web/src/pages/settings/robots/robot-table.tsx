import { Button, Stack } from '@mantine/core';
import type { Robot } from '@portcullis/contract';
import { useMemo } from 'react';
import { type Format, useFormat } from '../../../i18n/format.ts';
import { type Messages, useMessages } from '../../../i18n/messages.ts';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { useSelectable } from '../../../kit/selection/use-selectable.ts';
import type { SortValues } from '../../../kit/table/column-order.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { useColumnOrder } from '../../../kit/table/use-column-order.ts';
import { usedColumn } from '../../../kit/token/used-column.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useAccount } from '../../../session/account.ts';
import { RobotBar } from './robot-bar.tsx';

/** What is opened of a robot. */
export interface ShownRobot {
  what: 'edit' | 'tokens';
  id: string;
}

interface RobotTableProps {
  robots: Robot[];
  /** The same in each render. */
  onOpen(shown: ShownRobot): void;
}

const VALUES: SortValues<Robot> = {
  name: ({ name }) => name,
  owner: ({ owner }) => owner?.name ?? null,
  tokens: ({ tokens }) => tokens,
  last_used_at: ({ last_used_at }) => last_used_at,
};

export function RobotTable({ robots, onOpen }: RobotTableProps) {
  const { is_admin: isAdmin } = useAccount();
  const { rows: ordered, sorting } = useColumnOrder(robots, { values: VALUES, first: 'name' });
  const { rows, selection } = useSelectable(ordered, entryKey);
  return (
    <Stack gap="sm">
      <DataTable
        rows={rows}
        columns={useColumns(onOpen)}
        keyOf={entryKey}
        nameOf={entryName}
        sorting={sorting}
        selection={isAdmin ? selection : undefined}
      />
      <RobotBar robots={rows} selection={selection} />
    </Stack>
  );
}

function useColumns(onOpen: RobotTableProps['onOpen']): Column<Robot>[] {
  const t = useMessages('robots');
  const scopes = useMessages('tokenScope');
  const format = useFormat();
  const { is_admin: isAdmin } = useAccount();
  return useMemo(() => {
    const columns = [...columnsOf(t, format, onOpen), usedColumn<Robot>(scopes)];
    return isAdmin ? [...columns, editColumn(t, format, onOpen)] : columns;
  }, [t, scopes, format, onOpen, isAdmin]);
}

function columnsOf(
  t: Messages['robots'],
  format: Format,
  onOpen: RobotTableProps['onOpen'],
): Column<Robot>[] {
  return [
    {
      id: 'name',
      title: t.name,
      sort: 'name',
      cell: (robot) => (
        <Name robot={robot} onOpen={() => onOpen({ what: 'tokens', id: robot.id })} />
      ),
    },
    {
      id: 'owner',
      title: t.owner,
      sort: 'owner',
      label: t.owner,
      cell: ({ owner }) => owner?.name ?? t.administrators,
    },
    {
      id: 'tokens',
      title: t.tokens,
      sort: 'tokens',
      descendsFirst: true,
      label: t.tokens,
      className: table.quiet,
      cell: ({ tokens }) => format.number(tokens),
    },
  ];
}

function editColumn(
  t: Messages['robots'],
  format: Format,
  onOpen: RobotTableProps['onOpen'],
): Column<Robot> {
  return {
    id: 'edit',
    title: null,
    className: table.tools,
    cell: ({ id, name }) => (
      <Button
        variant="default"
        size="xs"
        aria-label={`${t.edit}${format.colon}${name}`}
        onClick={() => onOpen({ what: 'edit', id })}
      >
        {t.edit}
      </Button>
    ),
  };
}

function Name({ robot, onOpen }: { robot: Robot; onOpen(): void }) {
  const t = useMessages('robots');
  return (
    <>
      <button type="button" className={table.name} onClick={onOpen}>
        {robot.name}
      </button>{' '}
      {robot.disabled && <Badge tone="unknown">{t.disabled}</Badge>}{' '}
      {robot.can_bypass_vuln_block && <Badge tone="high">{t.bypass}</Badge>}
      {robot.description && <span className={table.under}>{robot.description}</span>}
    </>
  );
}
