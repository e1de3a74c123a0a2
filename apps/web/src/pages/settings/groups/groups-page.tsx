/** Shows groups and their members. */
import type { Group } from '@portcullis/contract';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { useWholeList } from '../../../kit/list/use-whole-list.ts';
import { EntriesBar } from '../../../kit/selection/entries-bar.tsx';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { allGroups } from '../all-entries.ts';
import { GroupDialog } from './group-dialog.tsx';

const GROUPS = {
  keyOf: entryKey,
  nameOf: entryName,
  values: {
    name: entryName,
    members: ({ members }: Group) => members.length,
  },
  first: 'name',
};

export function Component() {
  const t = useMessages('groups');
  const rows = useMessages('rowActs');
  const groups = useQuery(allGroups);
  const [shown, setShown] = useState<string | 'new' | null>(null);
  const button = <NewButton onClick={() => setShown('new')}>{t.newGroup}</NewButton>;
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {groups.data?.length !== 0 && button}
      </PageHead>
      <ListView
        list={useWholeList(groups, GROUPS)}
        columns={useColumns(setShown)}
        empty={
          <EmptyState icon={IconUsersGroup} title={t.emptyTitle} text={t.emptyText}>
            {button}
          </EmptyState>
        }
      >
        {(list) => (
          <EntriesBar
            list={list}
            words={rows.groups}
            changes="groups.listGroups"
            remove="groups.removeGroup"
          />
        )}
      </ListView>
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

const useColumns = defineColumns(
  'groups',
  (t, _, onOpen: (id: string) => void): Column<Group>[] => [
    {
      title: t.name,
      sort: 'name',
      cell: ({ id, name, description }) => (
        <RowName onOpen={() => onOpen(id)} under={description}>
          {name}
        </RowName>
      ),
    },
    {
      title: t.members,
      sort: 'members',
      descendsFirst: true,
      className: table.quiet,
      cell: ({ members }) => <Members members={members} />,
    },
  ],
);

const NAMED = 4;

function Members({ members }: Pick<Group, 'members'>) {
  const [t, format] = useWords('groups');
  if (members.length === 0) return t.noMembers;
  if (members.length > NAMED) {
    const first = members.slice(0, NAMED).map(({ username }) => username);
    return `${t.memberCount(members.length)}${format.colon}${first.join(', ')} …`;
  }
  return format.list(members.map(({ username }) => username));
}
