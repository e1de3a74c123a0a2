/** Shows the saved registries. */
import { Button } from '@mantine/core';
import type { Registry } from '@portcullis/contract';
import { IconServer2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { NewButton } from '../../kit/action/new-button.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { useWholeList, type WholeList } from '../../kit/list/use-whole-list.ts';
import { entryKey, entryName } from '../../kit/selection/entry.ts';
import { RegistryBar } from './registry-bar.tsx';
import { useRegistryColumns } from './registry-columns.tsx';
import { RegistryDrawer } from './registry-drawer.tsx';
import type { Edited } from './registry-form.ts';

const REGISTRIES: WholeList<Registry> = {
  keyOf: entryKey,
  nameOf: entryName,
  values: {
    name: entryName,
    checked_at: ({ last_check }) => last_check?.at ?? null,
    username: ({ username }) => username,
    owner: ({ owner }) => owner,
  },
  first: 'name',
};

export function Component() {
  const t = useMessages('registries');
  const [edited, setEdited] = useState<Edited>(null);
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <NewButton onClick={() => setEdited('new')}>{t.add}</NewButton>
      </PageHead>
      <ListView
        list={useWholeList(useAnswer('registries.listRegistries', { query: {} }), REGISTRIES)}
        columns={useRegistryColumns(setEdited)}
        empty={
          <EmptyState icon={IconServer2} title={t.emptyTitle} text={t.emptyText}>
            <Button variant="default" onClick={() => setEdited('new')}>
              {t.add}
            </Button>
          </EmptyState>
        }
      >
        {(list) => <RegistryBar list={list} />}
      </ListView>
      <RegistryDrawer edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}
