/** Shows the accounts. */
import { Button } from '@mantine/core';
import type { User } from '@portcullis/contract';
import { IconPlus, IconUserOff } from '@tabler/icons-react';
import { startTransition, useCallback, useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { FilterBar } from '../../../kit/list/filter-bar.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { UserBar } from './user-bar.tsx';
import { useUserColumns } from './user-columns.tsx';
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
  useShortcut('n', t.newUser, () => open('new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => open('new')}>
          {t.newUser}
        </Button>
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
