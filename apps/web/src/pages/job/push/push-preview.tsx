/** Says what a push would do before it is made. */
import { Group, Loader, Text } from '@mantine/core';
import type { Job, PushGateDecision, PushPreview } from '@portcullis/contract';
import { GATE_CODES, LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { IconBan, IconCircleCheck } from '@tabler/icons-react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { useFaultText } from '../../../kit/fault/fault.tsx';
import { Digest } from '../../../kit/text/digest.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { shownPlace } from '../../../kit/text/shown-place.ts';
import { ToneIcon } from '../../../kit/verdict/badge.tsx';
import { Signatures } from '../../images/standing/signatures.tsx';
import classes from './push.module.css';
import { isComplete, type PushForm } from './push-form.ts';
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
      <Dimmed>{t.destination}</Dimmed>
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
      <Group gap={8} wrap="nowrap" align="flex-start">
        <ToneIcon icon={allowed ? IconCircleCheck : IconBan} tone={allowed ? 'good' : 'critical'} />
        <div>
          <Text fw={580}>{allowed ? t.allowed : refused}</Text>
          {!allowed && <Text size="sm">{why}</Text>}
          {bypassed !== null && <Text size="sm">{t.bypassed}</Text>}
          {decision && <PushJudgement decision={decision} />}
          {folder !== null && code === 'FOLDER_FORBIDDEN' && (
            <Dimmed>{folder === ROOT_FOLDER ? t.decidesRoot : t.decides(folder)}</Dimmed>
          )}
        </div>
      </Group>
    </>
  );
}

const MOST_NAMED = 3;

/** The judgement of the destination's policy: what blocks the image, or which waivers allow it. */
function PushJudgement({ decision }: { decision: PushGateDecision }) {
  const [t, format] = useWords('push');
  const standing = useMessages('standing');
  const { policy, blocking, blocking_total: total, waived_until: waived } = decision;
  const { waits_until: waits } = decision;
  const named = blocking.slice(0, MOST_NAMED);
  return (
    <>
      <Text size="sm">{policy.id === null ? t.byDefaultPolicy : t.byPolicy(policy.name)}</Text>
      {named.length > 0 && (
        <ul className={classes.findings}>
          {named.map((finding) => (
            <li key={finding.vulnerability}>
              <code>{finding.vulnerability}</code> {finding.package} {finding.installed_version}
              {finding.other_packages_total > 0 &&
                ` ${standing.morePackages(finding.other_packages_total)}`}
              {format.colon}
              {finding.fixed_version === null ? t.noFix : t.fixedIn(finding.fixed_version)}
            </li>
          ))}
          {total > named.length && <li>{t.moreFindings(format.number(total - named.length))}</li>}
        </ul>
      )}
      <Signatures decision={decision} />
      {waits !== null && <Text size="sm">{standing.waitsUntil(format.dateTime(waits))}</Text>}
      {total === 0 && waived !== null && <Text size="sm">{t.waived(format.dateTime(waived))}</Text>}
    </>
  );
}

interface ExistingTagProps {
  job: Job;
  preview: PushPreview;
  registryId: string | null;
}

/** Whether the destination tag exists. Shows nothing if that cannot be read. */
function ExistingTag({ job, preview, registryId }: ExistingTagProps) {
  const t = useMessages('push');
  const registry = preview.local ? LOCAL_REGISTRY_ID : registryId;
  const { repository, tag } = preview;
  const there = useAnswer(
    'images.findImageTag',
    {
      params: { registry_id: registry ?? '' },
      query: { repository, tag },
    },
    { enabled: registry !== null, staleTime: 0, retry: false },
  );
  if (!there.data) return null;
  const { digest } = there.data;
  if (digest === null) return <StatusText>{t.nothingThere}</StatusText>;
  if (digest === job.digest) return <StatusText>{t.sameThere}</StatusText>;
  return (
    <Text size="sm" c="var(--high)" component="div">
      {t.replaces} <Digest digest={digest} />
    </Text>
  );
}

function StatusText({ children }: { children: string }) {
  return <Dimmed>{children}</Dimmed>;
}
