/** Defines the columns of saved registries. */
import { Box, Button, Group, Menu } from '@mantine/core';
import type { Registry } from '@portcullis/contract';
import { IconPackages, IconPencil, IconPlugConnected, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { ActionsMenu, GuardedMenuItem } from '../../kit/action/actions-menu.tsx';
import { RemovalDialog } from '../../kit/action/confirmed-act.tsx';
import { useNotices } from '../../kit/action/notices.ts';
import { type Column, defineColumns, quiet, RowName } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { Badge } from '../../kit/verdict/badge.tsx';
import { useAccount } from '../../session/account.ts';
import { useChangeRefusal } from './change-refusal.ts';
import { CheckFault } from './check-fault.tsx';

export const useRegistryColumns = defineColumns(
  'registries',
  (t, _, onEdit: (registry: Registry) => void): Column<Registry>[] => [
    {
      title: t.name,
      sort: 'name',
      cell: (registry) => <Name registry={registry} />,
    },
    {
      title: t.lastCheck,
      sort: 'checked_at',
      descendsFirst: true,
      cell: (registry) => <LastCheck registry={registry} />,
    },
    quiet({ title: t.account, sort: 'username', cell: ({ username }) => username ?? t.anonymous }),
    quiet({ title: t.owner, sort: 'owner', cell: ({ owner }) => <Owner owner={owner} /> }),
    {
      id: 'actions',
      title: null,
      className: table.tools,
      cell: (registry) => <Tools registry={registry} onEdit={() => onEdit(registry)} />,
    },
  ],
);

function useRegistryCheck({ id }: Registry) {
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: () => call('registries.checkRegistry', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('registries.listRegistries') }),
    onError: notices.fault,
  });
}

function Name({ registry }: { registry: Registry }) {
  return (
    <>
      <RowName to={`/images/${registry.id}`}>{registry.name}</RowName>
      <Group gap="2px 8px" className={table.quiet ?? ''}>
        <span>{registry.host}</span>
        <Risks registry={registry} />
      </Group>
    </>
  );
}

interface ToolsProps {
  registry: Registry;
  onEdit(): void;
}

function Tools({ registry, onEdit }: ToolsProps) {
  const t = useMessages('registries');
  const check = useRegistryCheck(registry);
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end" className={table.above ?? ''}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlugConnected size={14} />}
        loading={check.isPending}
        onClick={() => check.mutate()}
      >
        {t.testShort}
      </Button>
      <RowMenu registry={registry} onEdit={onEdit} />
    </Group>
  );
}

function Risks({ registry: { use_tls, tls_verify } }: { registry: Registry }) {
  const t = useMessages('registries');
  if (use_tls && tls_verify) return null;
  return <Badge tone="high">{use_tls ? t.unverified : t.noTls}</Badge>;
}

function Owner({ owner }: { owner: string }) {
  const t = useMessages('registries');
  const { username } = useAccount();
  if (owner === 'global') return t.everybody;
  return owner === username ? t.you : owner;
}

function LastCheck({ registry: { last_check } }: { registry: Registry }) {
  const t = useMessages('registries');
  if (last_check === null) return <span className={table.quiet}>{t.never}</span>;
  return (
    <Group gap="2px 8px">
      <Badge tone={last_check.ok ? 'good' : 'high'}>{last_check.ok ? t.works : t.fails}</Badge>
      <span className={table.quiet}>
        <RelativeTime at={last_check.at} />
      </span>
      {!last_check.ok && (
        <Box flex="1 0 100%" maw={380}>
          <CheckFault check={last_check} />
        </Box>
      )}
    </Group>
  );
}

function RowMenu({ registry, onEdit }: ToolsProps) {
  const t = useMessages('registries');
  const [removing, setRemoving] = useState(false);
  const refusal = useChangeRefusal()(registry);
  return (
    <>
      <ActionsMenu label={t.actionsFor(registry.name)} width={230}>
        <Menu.Item
          component={Link}
          to={`/images/${registry.id}`}
          leftSection={<IconPackages size={16} />}
        >
          {t.browse}
        </Menu.Item>
        <GuardedMenuItem refusal={refusal} icon={IconPencil} onClick={onEdit}>
          {t.edit}
        </GuardedMenuItem>
        <Menu.Divider role="separator" />
        <GuardedMenuItem
          refusal={refusal}
          icon={IconTrash}
          danger
          onClick={() => setRemoving(true)}
        >
          {t.remove}
        </GuardedMenuItem>
      </ActionsMenu>
      <RemoveRegistryDialog
        registry={registry}
        opened={removing}
        onClose={() => setRemoving(false)}
      />
    </>
  );
}

interface RemoveRegistryDialogProps {
  registry: Registry;
  opened: boolean;
  onClose(): void;
}

/** Deletes a saved registry after a confirmation. */
function RemoveRegistryDialog({ registry, opened, onClose }: RemoveRegistryDialogProps) {
  const t = useMessages('registries');
  return (
    <RemovalDialog
      opened={opened}
      name={registry.name}
      words={t}
      run={() => call('registries.removeRegistry', { params: { id: registry.id } })}
      lists={[keyOf('registries.listRegistries')]}
      onClose={onClose}
    >
      {t.removeText}
    </RemovalDialog>
  );
}
