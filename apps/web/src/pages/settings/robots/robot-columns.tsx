import { Button } from '@mantine/core';
import type { Robot } from '@portcullis/contract';
import { type Format, type Messages, useMessages } from '../../../i18n/messages.ts';
import { type Column, defineColumns, quiet, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { usedColumn } from '../../../kit/token/used-column.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useAccount } from '../../../session/account.ts';

/** What is opened of a robot. */
export interface ShownRobot {
  what: 'edit' | 'tokens';
  id: string;
}

type OnOpen = (shown: ShownRobot) => void;

/** @param onOpen the same in each render */
export function useRobotColumns(onOpen: OnOpen): Column<Robot>[] {
  return useColumns(useMessages('tokenScope'), useAccount().is_admin, onOpen);
}

const useColumns = defineColumns(
  'robots',
  (
    t,
    format,
    scopes: Messages['tokenScope'],
    isAdmin: boolean,
    onOpen: OnOpen,
  ): Column<Robot>[] => [
    {
      title: t.name,
      sort: 'name',
      cell: (robot) => (
        <Name robot={robot} onOpen={() => onOpen({ what: 'tokens', id: robot.id })} />
      ),
    },
    {
      title: t.owner,
      sort: 'owner',
      label: t.owner,
      cell: ({ owner }) => owner?.name ?? t.administrators,
    },
    quiet({
      title: t.tokens,
      sort: 'tokens',
      descendsFirst: true,
      cell: ({ tokens }) => format.number(tokens),
    }),
    usedColumn(scopes),
    ...(isAdmin ? [editColumn(t, format, onOpen)] : []),
  ],
);

function editColumn(t: Messages['robots'], format: Format, onOpen: OnOpen): Column<Robot> {
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
    <RowName
      onOpen={onOpen}
      beside={
        <>
          {robot.disabled && <Badge tone="unknown">{t.disabled}</Badge>}{' '}
          {robot.can_bypass_vuln_block && <Badge tone="high">{t.bypass}</Badge>}
        </>
      }
      under={robot.description}
    >
      {robot.name}
    </RowName>
  );
}
