import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TransferDetail } from '@portcullis/contract';
import type { RetriedJobs } from '@portcullis/domain';
import { IconFileDownload, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call, keyOf, url } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { ActionsMenu } from '../../kit/action/actions-menu.tsx';
import { ConfirmDialog } from '../../kit/action/confirm-dialog.tsx';
import { GuardedMenuItem } from '../../kit/action/guarded-menu-item.tsx';
import { MenuGroup } from '../../kit/action/menu-group.tsx';
import { useNotices } from '../../kit/action/notices.ts';
import { groupCounts } from './job-groups.ts';

/** Names of formats, the same in each language. */
const REPORTS = [
  ['json', 'JSON'],
  ['junit', 'JUnit'],
  ['sarif', 'SARIF'],
  ['cyclonedx', 'CycloneDX'],
  ['spdx', 'SPDX'],
] as const;

type Order = 'transfers.cancelTransfer' | 'transfers.retryTransfer';

function useOrder(name: Order, { transfer_id }: TransferDetail, query?: { only: RetriedJobs }) {
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: () => call(name, { params: { id: transfer_id }, ...(query && { query }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('transfers.getTransfer') }),
    onError: notices.fault,
  });
}

export function TransferActions({ transfer }: { transfer: TransferDetail }) {
  const t = useMessages('transfers');
  const cancel = useOrder('transfers.cancelTransfer', transfer);
  const retry = useOrder('transfers.retryTransfer', transfer, { only: 'failed' });
  const again = useOrder('transfers.retryTransfer', transfer, { only: 'blocked' });
  const { failed } = groupCounts(transfer);
  const hasFailed = failed > 0 || transfer.selections.some(({ state }) => state === 'failed');
  const hasEnded = transfer.status !== 'running';
  return (
    <>
      {transfer.status === 'running' && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {t.cancel}
        </Button>
      )}
      {hasEnded && transfer.blocked > 0 && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={again.isPending}
          onClick={() => again.mutate()}
        >
          {t.retryBlocked}
        </Button>
      )}
      {hasEnded && hasFailed && (
        <Button
          leftSection={<IconRefresh size={16} />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t.retry}
        </Button>
      )}
      <MoreActions transfer={transfer} />
    </>
  );
}

function useRemoval({ transfer_id }: TransferDetail) {
  const t = useMessages('transfers');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notices = useNotices();
  return useMutation({
    mutationFn: () => call('transfers.removeTransfer', { params: { id: transfer_id } }),
    async onSuccess() {
      await navigate('/transfers');
      notices.done(t.removed);
      queries.removeQueries({ queryKey: keyOf('transfers.getTransfer') });
      return queries.invalidateQueries({ queryKey: keyOf('transfers.listTransfers') });
    },
  });
}

/** One report for all images, in each format. */
function Reports({ transfer: { transfer_id } }: { transfer: TransferDetail }) {
  const t = useMessages('transfers');
  return (
    <>
      <MenuGroup label={t.report}>
        {REPORTS.map(([format, name]) => (
          <Menu.Item
            key={format}
            component="a"
            href={url('transfers.downloadTransferReport', {
              params: { id: transfer_id },
              query: { format },
            })}
            download
            leftSection={<IconFileDownload size={16} />}
          >
            {name}
          </Menu.Item>
        ))}
      </MenuGroup>
      <Menu.Divider role="separator" />
    </>
  );
}

function MoreActions({ transfer }: { transfer: TransferDetail }) {
  const t = useMessages('transfers');
  const [removing, { open, close }] = useDisclosure();
  const remove = useRemoval(transfer);
  return (
    <>
      <ActionsMenu label={t.moreActions} width={200} page>
        {transfer.status !== 'running' && <Reports transfer={transfer} />}
        <GuardedMenuItem refusal={null} danger icon={IconTrash} onClick={open}>
          {t.remove}
        </GuardedMenuItem>
      </ActionsMenu>
      <ConfirmDialog
        opened={removing}
        onClose={close}
        title={t.removeTitle}
        action={t.removeAction}
        onConfirm={() => remove.mutate()}
        pending={remove.isPending}
        error={remove.error}
      >
        {t.removeText}
      </ConfirmDialog>
    </>
  );
}
