import { Button, Group, Menu } from '@mantine/core';
import type { Registry } from '@portcullis/contract';
import { IconPackages, IconPencil, IconPlugConnected, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { ActionsMenu } from '../../kit/action/actions-menu.tsx';
import { GuardedMenuItem } from '../../kit/action/guarded-menu-item.tsx';
import { useNotices } from '../../kit/action/notices.ts';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { Badge } from '../../kit/verdict/badge.tsx';
import { useAccount } from '../../session/account.ts';
import { CheckFault } from './check-fault.tsx';
import classes from './registries.module.css';
import { RemoveRegistryDialog } from './remove-registry-dialog.tsx';

interface RegistryTableProps {
  registries: Registry[];
  onEdit(registry: Registry): void;
}

export function RegistryTable({ registries, onEdit }: RegistryTableProps) {
  const t = useMessages('registries');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.lastCheck}</th>
          <th scope="col">{t.account}</th>
          <th scope="col">{t.owner}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {registries.map((registry) => (
          <Row key={registry.id} registry={registry} onEdit={() => onEdit(registry)} />
        ))}
      </tbody>
    </table>
  );
}

function useRegistryCheck({ id }: Registry) {
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: () => call('registries.checkRegistry', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('registries.listRegistries') }),
    onError: notices.fault,
  });
}

interface RowProps {
  registry: Registry;
  onEdit(): void;
}

function Row({ registry, onEdit }: RowProps) {
  const t = useMessages('registries');
  const check = useRegistryCheck(registry);
  return (
    <tr>
      <td>
        <Link to={`/images/${registry.id}`} className={table.name}>
          {registry.name}
        </Link>
        <div className={table.quiet}>
          {registry.host}
          <Risks registry={registry} />
        </div>
      </td>
      <td>
        <LastCheck registry={registry} />
      </td>
      <td className={table.quiet} data-label={t.account}>
        {registry.username ?? t.anonymous}
      </td>
      <td className={table.quiet} data-label={t.owner}>
        <Owner owner={registry.owner} />
      </td>
      <td className={table.tools}>
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
      </td>
    </tr>
  );
}

function Risks({ registry: { use_tls, tls_verify } }: { registry: Registry }) {
  const t = useMessages('registries');
  if (use_tls && tls_verify) return null;
  return <span className={classes.risk}>{use_tls ? t.unverified : t.noTls}</span>;
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
    <div className={classes.check}>
      <Badge tone={last_check.ok ? 'good' : 'high'}>{last_check.ok ? t.works : t.fails}</Badge>
      <span className={table.quiet}>
        <RelativeTime at={last_check.at} />
      </span>
      {!last_check.ok && (
        <div className={classes.message}>
          <CheckFault check={last_check} />
        </div>
      )}
    </div>
  );
}

function RowMenu({ registry, onEdit }: RowProps) {
  const t = useMessages('registries');
  const { is_admin } = useAccount();
  const [removing, setRemoving] = useState(false);
  const refusal = registry.owner === 'global' && !is_admin ? t.mayNotEdit : null;
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
