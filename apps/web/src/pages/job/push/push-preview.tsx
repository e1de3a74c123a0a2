import { Loader, Text } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { GATE_CODES, LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { IconBan, IconCircleCheck } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { useFaultText } from '../../../kit/fault/fault.tsx';
import { shownPlace } from '../../../kit/text/shown-place.ts';
import { ExistingTag } from './existing-tag.tsx';
import classes from './push.module.css';
import { isComplete, type PushForm } from './push-form.ts';
import { PushJudgement } from './push-judgement.tsx';
import type { PushPreviewQuery } from './use-push-preview.ts';

interface PushPreviewViewProps {
  job: Job;
  form: PushForm;
  preview: PushPreviewQuery;
}

export function PushPreviewView({ job, form, preview }: PushPreviewViewProps) {
  const t = useMessages('push');
  const faultText = useFaultText();
  const complete = isComplete(form);
  const registryId = form.target === 'saved' ? form.registryId : null;
  return (
    <section className={classes.preview} aria-live="polite">
      <Text size="sm" c="dimmed">
        {t.destination}
      </Text>
      {!complete && <Text>{t.incomplete}</Text>}
      {complete && preview.isError && (
        <Text c="var(--mantine-color-error)">{faultText(preview.error)}</Text>
      )}
      {complete && preview.isPending && <Loader size="xs" aria-label={t.asking} />}
      {complete && preview.data && (
        <>
          <Decision preview={preview.data} />
          {preview.data.allowed && (
            <ExistingTag job={job} preview={preview.data} registryId={registryId} />
          )}
        </>
      )}
    </section>
  );
}

function Decision({ preview }: { preview: NonNullable<PushPreviewQuery['data']> }) {
  const t = useMessages('push');
  const { codes } = useMessages('fault');
  const { destination, local, allowed, code, reason, folder, bypassed, decision } = preview;
  const { verdict } = useMessages('verdict');
  const refused = GATE_CODES.some((each) => each === code) ? verdict.blocked : t.refused;
  const why = (code !== null && codes[code]) || reason;
  return (
    <>
      <code className={classes.destination}>
        {shownPlace(destination, local ? LOCAL_REGISTRY_ID : null)}
      </code>
      <div className={classes.decision} data-allowed={allowed}>
        {allowed ? (
          <IconCircleCheck size={18} aria-hidden="true" />
        ) : (
          <IconBan size={18} aria-hidden="true" />
        )}
        <div>
          <Text fw={580}>{allowed ? t.allowed : refused}</Text>
          {!allowed && <Text size="sm">{why}</Text>}
          {bypassed !== null && <Text size="sm">{t.bypassed}</Text>}
          {decision && <PushJudgement decision={decision} />}
          {folder !== null && code === 'FOLDER_FORBIDDEN' && (
            <Text size="sm" c="dimmed">
              {folder === ROOT_FOLDER ? t.decidesRoot : t.decides(folder)}
            </Text>
          )}
        </div>
      </div>
    </>
  );
}
