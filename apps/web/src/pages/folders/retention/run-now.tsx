/** Starts the retention of a folder now, after a confirmation that says what is removed. */
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmedAct } from '../../../kit/action/confirmed-act.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
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
