/** Marks a new finding, and says what the findings of a job are compared with. */
import { Anchor, Tooltip } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { type SincePrevious, useIsNew } from './new-findings.ts';

/** Shown where any of the findings is new. */
export function NewMark({ findings }: { findings: readonly { id: string }[] }) {
  const t = useMessages('findings');
  const isNew = useIsNew(findings);
  if (!isNew) return null;
  return (
    <Tooltip label={t.newHint}>
      <span>
        <Badge tone="wait">{t.new}</Badge>
      </span>
    </Tooltip>
  );
}

interface PreviousScanProps {
  job: Job;
  since: SincePrevious;
}

/** A link where the previous scan is that of another job. */
export function PreviousScan({ job, since: { previous } }: PreviousScanProps) {
  const t = useMessages('findings');
  if (!previous) return <Dimmed span>{t.noPrevious}</Dimmed>;
  const at = <RelativeTime at={previous.scanned_at} />;
  return (
    <Dimmed span>
      {previous.tag === job.tag ? t.previous : t.previousTag(previous.tag)}{' '}
      {previous.job_id === job.job_id ? (
        at
      ) : (
        <Anchor component={Link} to={`/staging/${previous.job_id}`} size="sm" underline="always">
          {at}
        </Anchor>
      )}
    </Dimmed>
  );
}
