import { Button } from '@mantine/core';
import { IconPlus, IconServer2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { ListSkeleton } from '../../kit/table/list-skeleton.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { RegistryDrawer } from './registry-drawer.tsx';
import type { Edited } from './registry-form.ts';
import { RegistryTable } from './registry-table.tsx';

export function Component() {
  const t = useMessages('registries');
  const [edited, setEdited] = useState<Edited>(null);
  useShortcut('n', t.add, () => setEdited('new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
          {t.add}
        </Button>
      </PageHead>
      <Registries onEdit={setEdited} />
      <RegistryDrawer edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function Registries({ onEdit }: { onEdit(edited: Edited): void }) {
  const t = useMessages('registries');
  const registries = useQuery(ask('registries.listRegistries', { query: {} }));
  if (registries.isError)
    return <FaultView error={registries.error} retry={() => void registries.refetch()} />;
  if (!registries.data) return <ListSkeleton rows={4} height={52} />;
  if (registries.data.length === 0)
    return (
      <EmptyState icon={IconServer2} title={t.emptyTitle} text={t.emptyText}>
        <Button variant="default" onClick={() => onEdit('new')}>
          {t.add}
        </Button>
      </EmptyState>
    );
  return <RegistryTable registries={registries.data} onEdit={onEdit} />;
}
