/** Shows the state of a job, with its progress while it runs. */

import { Group } from '@mantine/core';
import type { Job, ProgressView } from '@portcullis/contract';
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconEye,
  IconHourglassEmpty,
  IconKey,
  IconShieldX,
} from '@tabler/icons-react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ProgressBar } from '../../kit/text/progress-bar.tsx';
import { type Tone, ToneIcon } from '../../kit/verdict/badge.tsx';
import { useProgress } from '../../live/live-jobs.ts';
import { isBypassed } from './passed-push.ts';
import classes from './staging.module.css';
import { secondsLeft } from './time-left.ts';

type Shown = Job['status'] | 'blocked' | 'inStaging' | 'refused' | 'bypassed';

const LOOKS: Partial<Record<Shown, [typeof IconEye, Tone?]>> = {
  blocked: [IconShieldX, 'high'],
  inStaging: [IconEye],
  refused: [IconShieldX, 'high'],
  staged: [IconEye, 'wait'],
  pushed: [IconCircleCheck, 'good'],
  bypassed: [IconKey, 'high'],
  failed: [IconAlertTriangle, 'critical'],
  cancelled: [IconBan],
};
const RUNNING: ReadonlySet<Job['status']> = new Set(['pulling', 'scanning', 'pushing']);

/**
 * The status of a job, or that the gate stopped it; while it runs, with its progress. What was let
 * through has another look than what passed.
 */
export function JobState({ job }: { job: Job }) {
  const t = useMessages('staging');
  if (RUNNING.has(job.status)) return <Running job={job} />;
  const shown = shownOf(job);
  const wordOf = (each: Shown) => {
    if (each === 'blocked') return t.blocked;
    if (each === 'inStaging') return t.inStaging;
    return each === 'refused' ? t.refused : t.status[job.status];
  };
  const [icon, tone] = LOOKS[shown] ?? [IconHourglassEmpty];
  return (
    <Group component="span" display="inline-flex" gap={7} wrap="nowrap">
      <ToneIcon icon={icon} tone={tone} size={16} />
      {wordOf(shown)}
    </Group>
  );
}

/** Beside the standing of the job only its stage is said; without one, also that it is blocked. */
function shownOf(job: Job): Shown {
  const isBlocked = job.standing ? job.standing.state === 'blocked' : job.blocked;
  if (isBlocked && job.status === 'staged') return job.standing ? 'inStaging' : 'blocked';
  if (job.blocked && job.status === 'failed') return job.standing ? 'refused' : 'blocked';
  return isBypassed(job) ? 'bypassed' : job.status;
}

/** `plain`: without the status text. */
export function Running({ job, plain = false }: { job: Job; plain?: boolean }) {
  const [t, format] = useWords('staging');
  const progress = useProgress(job);
  const known = progress.phase !== 'scan' && progress.bytes_total > 0;
  return (
    <div className={classes.running} data-plain={plain || undefined}>
      <Group justify="space-between" gap={10} wrap="nowrap">
        <span>{!plain && t.status[job.status]}</span>
        {known && <TimeLeft progress={progress} />}
      </Group>
      <ProgressBar
        share={known ? progress.bytes_done / progress.bytes_total : null}
        label={`${t.status[job.status]}${format.colon}${job.image}`}
      />
      {known && <Bytes progress={progress} />}
    </div>
  );
}

function TimeLeft({ progress }: { progress: ProgressView }) {
  const [t, format] = useWords('staging');
  const left = secondsLeft(progress);
  return left === null ? null : (
    <span className={classes.quiet}>{t.left(format.duration(left))}</span>
  );
}

function Bytes({ progress }: { progress: ProgressView }) {
  const [t, format] = useWords('staging');
  const { bytes_done, bytes_total, bytes_reused, rate } = progress;
  const parts = [
    t.ofBytes(format.bytes(bytes_done), format.bytes(bytes_total)),
    rate > 0 ? format.rate(rate) : null,
    bytes_reused > 0 ? t.reused(format.bytes(bytes_reused)) : null,
  ];
  return <div className={classes.bytes}>{parts.filter((part) => part !== null).join(' · ')}</div>;
}
