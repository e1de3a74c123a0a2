import { Loader, Text } from '@mantine/core';
import { IconBan, IconCircleCheck } from '@tabler/icons-react';
import { useFaultText } from '../../components/fault.tsx';
import { useFaultWords } from '../../components/fault-words.ts';
import classes from './push.module.css';
import type { Preview } from './push-dialog.tsx';
import { usePushWords } from './push-words.ts';

export function PushPreviewView({ preview, complete }: { preview: Preview; complete: boolean }) {
  const t = usePushWords();
  const faultText = useFaultText();
  return (
    <section className={classes.preview} aria-live="polite">
      <Text size="sm" c="dimmed">
        {t.destination}
      </Text>
      {!complete && <Text>{t.incomplete}</Text>}
      {complete && preview.isError && <Text c="var(--mantine-color-error)">{faultText(preview.error)}</Text>}
      {complete && preview.isPending && <Loader size="xs" aria-label={t.asking} />}
      {complete && preview.data && <Decision preview={preview.data} />}
    </section>
  );
}

function Decision({ preview }: { preview: NonNullable<Preview['data']> }) {
  const t = usePushWords();
  const { codes } = useFaultWords();
  const { destination, allowed, code, reason, folder } = preview;
  const why = (code !== null && codes[code]) || reason;
  return (
    <>
      <code className={classes.destination}>{destination}</code>
      <div className={classes.decision} data-allowed={allowed}>
        {allowed ? (
          <IconCircleCheck size={18} aria-hidden="true" />
        ) : (
          <IconBan size={18} aria-hidden="true" />
        )}
        <div>
          <Text fw={580}>{allowed ? t.allowed : t.refused}</Text>
          {!allowed && <Text size="sm">{why}</Text>}
          {folder !== null && (
            <Text size="sm" c="dimmed">
              {t.decides(folder)}
            </Text>
          )}
        </div>
      </div>
    </>
  );
}
