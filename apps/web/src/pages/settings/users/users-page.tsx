/** Shows the accounts. */
import type { User } from '@portcullis/contract';
import { IconUserOff } from '@tabler/icons-react';
import { startTransition, useCallback, useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { FilterBar } from '../../../kit/list/filter-bar.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import {
  type Column,
  defineColumns,
  quiet,
  RowName,
  timeColumn,
} from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useAccount } from '../../../session/account.ts';
import { UserBar } from './user-bar.tsx';
import { UserDialog } from './user-dialog.tsx';
import { USER_FILTER } from './user-filter.ts';

const USERS = defineList({
  operation: 'users.list',
  filter: USER_FILTER,
  keyOf: ({ id }) => id,
  nameOf: ({ username }) => username,
});

export function Component() {
  const t = useMessages('users');
  const list = useList(USERS);
  const [shown, setShown] = useState<User | 'new' | null>(null);
  // The page renders again with its table and a dialog, which takes too long for one task.
  const open = useCallback((account: User | 'new') => startTransition(() => setShown(account)), []);
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <NewButton onClick={() => open('new')}>{t.newUser}</NewButton>
      </PageHead>
      <FilterBar list={list} search={t.search} saved="accounts" />
      <ListView
        list={list}
        columns={useUserColumns(open)}
        words={t}
        count={t.total}
        empty={<EmptyState icon={IconUserOff} title={t.noMatch} text={t.noMatchText} />}
      >
        {(selectable) => <UserBar list={selectable} />}
      </ListView>
      {shown && (
        <UserDialog
          key={shown === 'new' ? 'new' : shown.id}
          shown={shown}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

/** Defines the columns of accounts. */
const useUserColumns = defineColumns(
  'users',
  (t, _, onOpen: (user: User) => void): Column<User>[] => [
    {
      title: t.name,
      sort: 'username',
      cell: (user) => <UserName user={user} onOpen={() => onOpen(user)} />,
    },
    { id: 'rights', title: t.rights, width: '32%', cell: (user) => <UserRights user={user} /> },
    quiet({
      title: t.source,
      sort: 'auth_source',
      width: '16%',
      cell: ({ auth_source }) => t.sources[auth_source],
    }),
    timeColumn('last_login_at', t.lastLogin, { label: t.lastLogin, width: '18%', none: t.never }),
  ],
);

function UserName({ user, onOpen }: { user: User; onOpen(): void }) {
  const t = useMessages('users');
  const own = useAccount().id === user.id;
  return (
    <RowName onOpen={onOpen} under={user.email}>
      {user.username}
      {own && ` (${t.you})`}
    </RowName>
  );
}

function UserRights({ user }: { user: User }) {
  const t = useMessages('users');
  return (
    <span className={table.badges}>
      {user.disabled && <Badge tone="high">{t.disabled}</Badge>}
      {user.is_admin && <Badge tone="wait">{t.admin}</Badge>}
      {user.can_bypass_vuln_block && <Badge tone="unknown">{t.bypass}</Badge>}
      {user.must_change_password && <Badge tone="unknown">{t.mustChange}</Badge>}
    </span>
  );
}
