/** Which tags of a folder are removed, and what the last run did; loaded apart from the page. */
import { Button, Stack, Text } from '@mantine/core';
import type { FolderRetention, TagRetention } from '@portcullis/contract';
import { useState } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { ConfirmedAct } from '../../../kit/action/confirmed-act.tsx';
import { FaultAlert, FaultView } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { useAccount } from '../../../session/account.ts';
import { PreviewView } from './preview-view.tsx';
import { RetentionDialog } from './retention-dialog.tsx';
import { RetentionSkeleton } from './retention-skeleton.tsx';
import { usePreview } from './use-preview.ts';

const RUNNING_MS = 1_000;
const REFRESH_MS = 30_000;

export default function RetentionPanel({ folder }: { folder: string }) {
  const retention = useAnswer(
    'folders.getRetention',
    { params: { folder_id: folder } },
    {
      refetchInterval: ({ state }) =>
        state.data?.run?.state === 'running' ? RUNNING_MS : REFRESH_MS,
    },
  );
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

/** A retention rule in words. */
function useRetentionSentence(): (rule: TagRetention | null) => string {
  const [t, format] = useWords('retention');
  return (rule) => {
    if (rule === null) return t.none;
    const { keep_newest: newest, keep_days: days, keep } = rule;
    const kept = [
      newest !== null && t.newestTags(newest),
      days !== null && t.tagsOfDays(days),
      keep.length > 0 && t.matchingTags(keep.join(' ')),
    ].filter((part) => part !== false);
    return t.keeps(format.list(kept));
  };
}

type Run = NonNullable<FolderRetention['run']>;

/** What the last run of a folder's retention did. */
function RunResult({ run }: { run: Run }) {
  const t = useMessages('retention');
  const { finished_at: at, tags_removed: removed, tags_kept: kept, tags_failed: failed } = run;
  return (
    <Dimmed mt="xs" role="status">
      {at === null ? (
        t.running(removed)
      ) : (
        <>
          {run.state === 'failed' ? t.lastRunFailed : t.lastRun} <RelativeTime at={at} />
          {`. ${t.result(removed, kept)}`}
          {failed > 0 && ` ${t.failed(failed)}`}
        </>
      )}
    </Dimmed>
  );
}

interface RunNowProps {
  folder: string;
  isRunning: boolean;
}

/** Starts the retention of a folder now, after a confirmation that says what is removed. */
function RunNow({ folder, isRunning }: RunNowProps) {
  const t = useMessages('retention');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        mt="sm"
        disabled={isRunning}
        onClick={() => setOpen(true)}
      >
        {t.runNow}
      </Button>
      {isOpen && <Confirmation folder={folder} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirmation({ folder, onClose }: { folder: string; onClose(): void }) {
  const t = useMessages('retention');
  const preview = usePreview(folder, null);
  return (
    <ConfirmedAct
      title={t.runTitle}
      action={t.runAction}
      run={() => call('folders.runRetention', { params: { folder_id: folder } })}
      done={() => t.started}
      lists={[keyOf('folders.getRetention')]}
      onClose={onClose}
    >
      <Stack gap="sm">
        {preview.isError ? (
          <FaultAlert error={preview.error} />
        ) : (
          <PreviewView preview={preview.data} isStale={false} />
        )}
        <Text size="sm">{t.effect}</Text>
      </Stack>
    </ConfirmedAct>
  );
}
