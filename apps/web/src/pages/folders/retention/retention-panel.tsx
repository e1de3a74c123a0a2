/** Which tags of a folder are removed, and what the last run did; loaded apart from the page. */
import { Button, Text } from '@mantine/core';
import type { FolderRetention } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { useAccount } from '../../../session/account.ts';
import { RetentionDialog } from './retention-dialog.tsx';
import { useRetentionSentence } from './retention-sentence.ts';
import { RetentionSkeleton } from './retention-skeleton.tsx';
import { RunNow } from './run-now.tsx';
import { RunResult } from './run-result.tsx';

const RUNNING_MS = 1_000;
const REFRESH_MS = 30_000;

export default function RetentionPanel({ folder }: { folder: string }) {
  const retention = useQuery({
    ...ask('folders.getRetention', { params: { folder_id: folder } }),
    refetchInterval: ({ state }) =>
      state.data?.run?.state === 'running' ? RUNNING_MS : REFRESH_MS,
  });
  if (retention.data) return <Shown folder={folder} {...retention.data} />;
  if (!retention.isError) return <RetentionSkeleton />;
  return <FaultView error={retention.error} retry={() => void retention.refetch()} />;
}

function Shown({ folder, retention, run }: FolderRetention & { folder: string }) {
  const t = useMessages('retention');
  const sentence = useRetentionSentence();
  const { is_admin: isAdmin } = useAccount();
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title={t.title}
      actions={
        isAdmin && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            {t.change}
          </Button>
        )
      }
    >
      <Text>{sentence(retention)}</Text>
      {run && <RunResult run={run} />}
      {isAdmin && retention && <RunNow folder={folder} isRunning={run?.state === 'running'} />}
      {isOpen && (
        <RetentionDialog folder={folder} retention={retention} onClose={() => setOpen(false)} />
      )}
    </Panel>
  );
}
