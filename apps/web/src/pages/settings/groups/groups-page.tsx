import { Button, Stack } from '@mantine/core';
import type { Group } from '@portcullis/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { type Messages, useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { useSelectable } from '../../../kit/selection/use-selectable.ts';
import type { SortValues } from '../../../kit/table/column-order.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { useColumnOrder } from '../../../kit/table/use-column-order.ts';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { allGroups } from '../all-entries.ts';
import { GroupBar } from './group-bar.tsx';
import { GroupDialog } from './group-dialog.tsx';

export function Component() {
  const t = useMessages('groups');
  const groups = useQuery(allGroups);
  const [shown, setShown] = useState<string | 'new' | null>(null);
  useShortcut('n', t.newGroup, () => setShown('new'));
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setShown('new')}>
      {t.newGroup}
    </Button>
  );
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {groups.data?.length !== 0 && button}
      </PageHead>
      <QueryView query={groups}>
        {(all) =>
          all.length > 0 ? (
            <GroupTable groups={all} onOpen={setShown} />
          ) : (
            <EmptyState icon={IconUsersGroup} title={t.emptyTitle} text={t.emptyText}>
              {button}
            </EmptyState>
          )
        }
      </QueryView>
      {shown && (
        <GroupDialog
          group={groups.data?.find(({ id }) => id === shown) ?? null}
          onClose={() => setShown(null)}
          onMade={setShown}
        />
      )}
    </>
  );
}

const VALUES: SortValues<Group> = {
  name: ({ name }) => name,
  members: ({ members }) => members.length,
};

function GroupTable({ groups, onOpen }: { groups: Group[]; onOpen(id: string): void }) {
  const t = useMessages('groups');
  const { rows: ordered, sorting } = useColumnOrder(groups, { values: VALUES, first: 'name' });
  const { rows, selection } = useSelectable(ordered, entryKey);
  const columns = useMemo(() => columnsOf(t, onOpen), [t, onOpen]);
  return (
    <Stack gap="sm">
      <DataTable
        rows={rows}
        columns={columns}
        keyOf={entryKey}
        nameOf={entryName}
        sorting={sorting}
        selection={selection}
      />
      <GroupBar groups={rows} selection={selection} />
    </Stack>
  );
}

function columnsOf(t: Messages['groups'], onOpen: (id: string) => void): Column<Group>[] {
  return [
    {
      id: 'name',
      title: t.name,
      sort: 'name',
      cell: ({ id, name, description }) => (
        <>
          <button type="button" className={table.name} onClick={() => onOpen(id)}>
            {name}
          </button>
          {description && <span className={table.under}>{description}</span>}
        </>
      ),
    },
    {
      id: 'members',
      title: t.members,
      sort: 'members',
      descendsFirst: true,
      className: table.quiet,
      cell: ({ members }) => <Members members={members} />,
    },
  ];
}

const NAMED = 4;

function Members({ members }: Pick<Group, 'members'>) {
  const t = useMessages('groups');
  const format = useFormat();
  if (members.length === 0) return t.noMembers;
  if (members.length > NAMED) {
    const first = members.slice(0, NAMED).map(({ username }) => username);
    return `${t.memberCount(members.length)}${format.colon}${first.join(', ')} …`;
  }
  return format.list(members.map(({ username }) => username));
}
