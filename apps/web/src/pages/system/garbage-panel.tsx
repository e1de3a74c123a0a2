/** Shows the last garbage collection, and starts one. */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { GarbageCollection } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call, useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ConfirmDialog } from '../../kit/action/confirm-dialog.tsx';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { JobFault } from '../../kit/fault/job-fault.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { Log } from '../../kit/text/preformatted.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';

const RUNNING_MS = 1500;
const TONES: Record<GarbageCollection['state'], Tone> = {
  idle: 'unknown',
  running: 'wait',
  done: 'good',
  failed: 'critical',
};

export function GarbagePanel() {
  const t = useMessages('system');
  const [untagged, setUntagged] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const last = useAnswer('maintenance.getGarbageCollection', undefined, {
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_MS : false),
  });
  const collect = useCollect(() => setConfirming(false));
  const running = last.data?.state === 'running';
  const start = (dry_run: boolean) => collect.mutate({ dry_run, delete_untagged: untagged });
  return (
    <Panel title={t.gc} description={t.gcLead}>
      <Stack gap="sm">
        <Checkbox
          label={t.untagged}
          description={t.untaggedHint}
          checked={untagged}
          onChange={(event) => setUntagged(event.currentTarget.checked)}
        />
        <Group gap="xs">
          <Button variant="default" disabled={running} onClick={() => start(true)}>
            {t.dryRun}
          </Button>
          <Button variant="default" disabled={running} onClick={() => setConfirming(true)}>
            {t.collect}
          </Button>
          <Dimmed>{t.dryRunHint}</Dimmed>
        </Group>
        {!isConfirming && <FaultAlert error={collect.error} />}
        <QueryView query={last} rows={2}>
          {(collection) => <Collection {...collection} />}
        </QueryView>
      </Stack>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={t.collectTitle}
        action={t.collectAction}
        pending={collect.isPending}
        error={collect.error}
        onConfirm={() => start(false)}
      >
        {t.collectText}
      </ConfirmDialog>
    </Panel>
  );
}

function useCollect(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { dry_run: boolean; delete_untagged: boolean }) =>
      call('maintenance.collectGarbage', { body }),
    onSuccess: (collection) => {
      queries.setQueryData(ask('maintenance.getGarbageCollection').queryKey, collection);
      onDone();
    },
  });
}

function Collection(collection: GarbageCollection) {
  const [t, format] = useWords('system');
  const { state, dry_run, requested_by, finished_at, blobs_deleted, bytes_freed, error, log_tail } =
    collection;
  const amount = [t.blobs(blobs_deleted), format.bytes(bytes_freed)] as const;
  return (
    <div aria-live="polite">
      <Group gap="xs">
        <Badge tone={TONES[state]}>{t.gcStates[state]}</Badge>
        {state !== 'idle' && dry_run && <Badge tone="unknown">{t.dryRun}</Badge>}
        <Dimmed>
          {finished_at && <RelativeTime at={finished_at} />} {requested_by && t.by(requested_by)}
        </Dimmed>
      </Group>
      {state === 'done' && (
        <Text mt={6} fw={550}>
          {dry_run ? t.wouldDelete(...amount) : t.didDelete(...amount)}
        </Text>
      )}
      {error && <JobFault fault={error} />}
      <Log title={t.log} lines={log_tail} open={state === 'running'} />
    </div>
  );
}
