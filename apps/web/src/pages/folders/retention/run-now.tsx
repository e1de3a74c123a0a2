/** Starts the retention of a folder now, after a confirmation that says what is removed. */
import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { PreviewView } from './preview-view.tsx';
import { usePreview } from './use-preview.ts';

interface RunNowProps {
  folder: string;
  isRunning: boolean;
}

export function RunNow({ folder, isRunning }: RunNowProps) {
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
  const notices = useNotices();
  const queries = useQueryClient();
  const preview = usePreview(folder, null);
  const run = useMutation({
    mutationFn: () => call('folders.runRetention', { params: { folder_id: folder } }),
    async onSuccess() {
      notices.done(t.started);
      onClose();
      await queries.invalidateQueries({ queryKey: keyOf('folders.getRetention') });
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.runTitle}
      action={t.runAction}
      pending={run.isPending}
      error={run.error ?? preview.error}
      onConfirm={() => run.mutate()}
    >
      <Stack gap="sm">
        {!preview.isError && <PreviewView preview={preview.data} isStale={false} />}
        <Text size="sm">{t.effect}</Text>
      </Stack>
    </ConfirmDialog>
  );
}
