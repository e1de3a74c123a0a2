import { Text, Title } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { isSettled, nextStage } from '@portcullis/domain';
import { ServerDetails } from '../../kit/fault/job-fault.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { Running } from '../staging/job-state.tsx';
import { ScanNotes } from './gaps/scan-notes.tsx';
import classes from './job.module.css';
import { ReviewActions } from './review/review-actions.tsx';
import { Upgrades } from './upgrades.tsx';
import { useVerdictSentence } from './verdict-sentence.ts';

export function VerdictBanner({ job }: { job: Job }) {
  const { tone, title, text } = useVerdictSentence()(job);
  const running =
    nextStage(job) === 'scan' || (job.verdict === 'pending' && !isSettled(job.status));
  return (
    <section className={classes.banner} data-tone={tone} aria-live="polite">
      <div className={classes.bannerHead}>
        <Title order={2}>{title}</Title>
        {job.vuln_result && <SeverityCountsView counts={job.vuln_result.counts} />}
      </div>
      {text && <Text>{text}</Text>}
      {job.verdict === 'blocked' && job.vuln_result?.vulnerabilities && (
        <>
          <Upgrades result={job.vuln_result} />
          <ReviewActions job={job} />
        </>
      )}
      {job.error && job.pushes.length === 0 && <ServerDetails>{job.error.message}</ServerDetails>}
      {running && job.status.endsWith('ing') && <Running job={job} plain />}
      {job.vuln_result && <ScanNotes result={job.vuln_result} />}
    </section>
  );
}
