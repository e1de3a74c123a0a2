import { Title } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { destinationNoted, TIMELINE_NOTES } from '@portcullis/domain';
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
            {note && <Note note={note} />}
            {took >= 1 && <div className={classes.note}>{format.duration(took)}</div>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What the server notes by itself has words here; what it noted of a fault has its own. */
function Note({ note }: { note: string }) {
  const t = useJobWords();
  const destination = destinationNoted(note);
  const known = NOTES.find((each) => TIMELINE_NOTES[each] === note);
  if (destination !== null) return <div className={classes.note}>{t.to(destination)}</div>;
  if (known !== undefined) return <div className={classes.note}>{t.noted[known]}</div>;
  return (
    <div className={classes.note} lang="en">
      {note}
    </div>
  );
}

const NOTES = [
  'unscanned',
  'known',
  'blobsWanted',
  'storageLost',
  'scanWanted',
  'judgedAnew',
  'handedBack',
  'madeRoom',
  'referrersLeft',
  'retried',
] as const satisfies (keyof typeof TIMELINE_NOTES)[];

function seconds(from: string, to: string | undefined): number {
  return to === undefined ? 0 : (Date.parse(to) - Date.parse(from)) / 1000;
}
