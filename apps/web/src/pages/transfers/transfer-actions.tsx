import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TransferDetail } from '@portcullis/contract';
import type { RetriedJobs } from '@portcullis/domain';
import { IconFileDownload, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call, keyOf, url } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { ActButton } from '../../kit/action/act-button.tsx';
import { ActionsMenu, GuardedMenuItem, MenuGroup } from '../../kit/action/actions-menu.tsx';
import { ConfirmedAct } from '../../kit/action/confirmed-act.tsx';
import { useAct } from '../../kit/action/use-act.ts';
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
  const run = () => call(name, { params: { id: transfer_id }, ...(query && { query }) });
  return useAct({ run, changes: ['transfers.getTransfer'] });
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
        <ActButton icon={IconPlayerStop} act={cancel}>
          {t.cancel}
        </ActButton>
      )}
      {hasEnded && transfer.blocked > 0 && (
        <ActButton icon={IconRefresh} act={again}>
          {t.retryBlocked}
        </ActButton>
      )}
      {hasEnded && hasFailed && (
        <ActButton variant="filled" icon={IconRefresh} act={retry}>
          {t.retry}
        </ActButton>
      )}
      <MoreActions transfer={transfer} />
    </>
  );
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
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { id: transfer.transfer_id };
  return (
    <>
      <ActionsMenu label={t.moreActions} width={200} page>
        {transfer.status !== 'running' && <Reports transfer={transfer} />}
        <GuardedMenuItem refusal={null} danger icon={IconTrash} onClick={open}>
          {t.remove}
        </GuardedMenuItem>
      </ActionsMenu>
      <ConfirmedAct
        opened={removing}
        onClose={close}
        title={t.removeTitle}
        action={t.removeAction}
        run={() => call('transfers.removeTransfer', { params })}
        done={() => t.removed}
        lists={[keyOf('transfers.listTransfers')]}
        onDone={async () => {
          await navigate('/transfers');
          queries.removeQueries({ queryKey: keyOf('transfers.getTransfer') });
        }}
      >
        {t.removeText}
      </ConfirmedAct>
    </>
  );
}
