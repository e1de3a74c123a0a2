import { Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { User } from '@portcullis/contract';
import { IconPlus, IconUserOff } from '@tabler/icons-react';
import { startTransition, useCallback, useMemo, useState } from 'react';
import { keyOf, page } from '../../../api/api.ts';
import { useListPages } from '../../../api/list-pages.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { SavedFilterChips } from '../../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { MoreButton } from '../../../kit/table/more-button.tsx';
import { useRowSelection } from '../../../kit/table/use-row-selection.ts';
import { useShortcut } from '../../../shell/shortcuts.ts';
import classes from '../settings.module.css';
import { UserBar } from './user-bar.tsx';
import { UserDialog } from './user-dialog.tsx';
import { accountOrderOf, parametersOf, type UserListFilter, useUserFilter } from './user-filter.ts';
import { UserTable, userKey } from './user-table.tsx';

export function Component() {
  const t = useMessages('users');
  const [filter, setFilter] = useUserFilter();
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
      <Group component="search" gap="sm" mb="sm">
        <SearchField
          className={classes.search ?? ''}
          label={t.search}
          value={filter.words}
          onChange={(text) => setFilter({ words: text })}
        />
        <div className={classes.saved}>
          <SavedFilterChips
            list="accounts"
            query={new URLSearchParams(parametersOf(filter)).toString()}
          />
        </div>
      </Group>
      <Users filter={filter} onChange={setFilter} onOpen={open} />
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

function useUsers({ words, sort }: UserListFilter) {
  const [q] = useDebouncedValue(words.trim(), 250);
  const query = { q, sort };
  return useListPages({
    queryKey: keyOf('users.list', { query }),
    queryFn: ({ pageParam }) => page('users.list', { query: { ...query, cursor: pageParam } }),
    structuralSharing: false,
  });
}

interface UsersProps {
  filter: UserListFilter;
  onChange(change: Partial<UserListFilter>): void;
  onOpen(user: User): void;
}

function Users({ filter, onChange, onOpen }: UsersProps) {
  const t = useMessages('users');
  const users = useUsers(filter);
  const { data } = users;
  const all = useMemo(() => (data?.pages ?? []).flatMap(({ items }) => items), [data]);
  const selection = useRowSelection(all, userKey, filter.words);
  return (
    <QueryView query={users}>
      {({ pages }) =>
        all.length === 0 ? (
          <EmptyState icon={IconUserOff} title={t.noMatch} text={t.noMatchText} />
        ) : (
          <Stack gap="sm">
            <UserTable
              users={all}
              sorting={{
                order: filter.sort,
                onChange: (order) => onChange({ sort: accountOrderOf(order) }),
              }}
              selection={selection}
              onOpen={onOpen}
            />
            <Text size="sm" c="dimmed" ta="center">
              {t.total(totalOf(pages, all))}
            </Text>
            <MoreButton pages={users}>{t.more}</MoreButton>
            {selection.ids.length > 0 && (
              <UserBar
                users={all}
                words={filter.words}
                selection={selection}
                total={totalOf(pages, all)}
              />
            )}
          </Stack>
        )
      }
    </QueryView>
  );
}

/** How many match; as many as are loaded where that is unknown. */
function totalOf([first]: readonly { total: number | null }[], loaded: readonly User[]): number {
  return first?.total ?? loaded.length;
}
