import { Group } from '@mantine/core';
import type { Job, PushView, TimelineEntryView } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useKnownFaultText } from '../../kit/fault/job-fault.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { usePlaceName } from '../registries/use-place-name.ts';
import classes from './job.module.css';

/** The job's steps, newest first, with their durations. */
export function Timeline({ job }: { job: Job }) {
  const [t, format] = useWords('job');
  const { status: statuses } = useMessages('staging');
  const { timeline = [] } = job;
  const steps = timeline.map((step, index) => ({
    step,
    index,
    seconds: seconds(step.at, timeline[index + 1]?.at),
  }));
  return (
    <Panel title={t.timeline}>
      <ol className={classes.timeline} reversed>
        {steps.toReversed().map(({ index, step, seconds: took }) => (
          <li key={index} data-status={step.status}>
            <Group justify="space-between" gap={8} wrap="nowrap">
              <span>{step.status === 'staged' ? t.inStaging : statuses[step.status]}</span>
              <time dateTime={step.at} title={format.dateTime(step.at)}>
                {format.time(step.at)}
              </time>
            </Group>
            {step.note && <Note step={step} pushes={job.pushes} />}
            {took >= 1 && <div className={classes.note}>{format.duration(took)}</div>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Kinds and codes of a newer server show its message, which is English. */
function Note({ step, pushes }: { step: TimelineEntryView; pushes: readonly PushView[] }) {
  const t = useMessages('job');
  const faultText = useKnownFaultText();
  const nameOf = usePlaceName();
  if (step.left) return <Left left={step.left} more={step.more ?? 0} />;
  const known: Partial<Record<typeof step.kind, string>> = t.event;
  const words =
    step.destination === undefined
      ? (known[step.kind] ?? faultText(step.code))
      : t.to(nameOf(step.destination, registryOf(step.destination, pushes)));
  if (words !== undefined) return <div className={classes.note}>{words}</div>;
  return (
    <div className={classes.note} lang="en">
      {step.note}
    </div>
  );
}

/** Referrers that were left behind; the reasons are in English. */
function Left({ left, more }: { left: NonNullable<TimelineEntryView['left']>; more: number }) {
  const t = useMessages('job');
  const reasons = left.map(({ name, code, message }) => `${name} (${code}) ${message}`);
  const names = left.map(({ name }) => name).join(', ');
  return (
    <div className={classes.note} title={reasons.join('\n')}>
      {t.left(names, more)}
    </div>
  );
}

function registryOf(destination: string, pushes: readonly PushView[]): string | null {
  return pushes.find((push) => push.destination === destination)?.registry_id ?? null;
}

function seconds(from: string, to: string | undefined): number {
  return to === undefined ? 0 : (Date.parse(to) - Date.parse(from)) / 1000;
}
