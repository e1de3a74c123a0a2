import { Title } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useStagingWords } from '../staging/staging-words.ts';
import classes from './job.module.css';
import { useJobWords } from './job-words.ts';

/** What happened, newest first, and how long each step took. */
export function Timeline({ job }: { job: Job }) {
  const t = useJobWords();
  const { status: statuses } = useStagingWords();
  const format = useFormat();
  const steps = job.timeline.map((step, index) => ({
    ...step,
    index,
    seconds: seconds(step.at, job.timeline[index + 1]?.at),
  }));
  return (
    <section className={classes.panel}>
      <Title order={2} mb="xs">
        {t.timeline}
      </Title>
      <ol className={classes.timeline} reversed>
        {steps.toReversed().map(({ index, at, status, note, seconds: took }) => (
          <li key={index} data-status={status}>
            <div className={classes.step}>
              <span>{statuses[status]}</span>
              <time dateTime={at} title={format.dateTime(at)}>
                {format.time(at)}
              </time>
            </div>
            {note && <div className={classes.note}>{note}</div>}
            {took >= 1 && <div className={classes.note}>{format.duration(took)}</div>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function seconds(from: string, to: string | undefined): number {
  return to === undefined ? 0 : (Date.parse(to) - Date.parse(from)) / 1000;
}
