/** Says what the gate decides about a job, why, and what to do then. */
import { Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Job, VulnResultView } from '@portcullis/contract';
import { isSettled, nextStage } from '@portcullis/domain';
import { IconShieldCheck } from '@tabler/icons-react';
import { useWords } from '../../i18n/messages.ts';
import { ServerDetails } from '../../kit/fault/job-fault.tsx';
import { loadedPart } from '../../kit/loaded-part.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { useAccount } from '../../session/account.ts';
import { Reviewers } from '../../session/contacts.tsx';
import { Running } from '../staging/job-state.tsx';
import { gapSentences } from './gaps/gap-sentence.ts';
import classes from './job.module.css';
import { useReviewState } from './review/use-review-state.ts';
import { Upgrades } from './upgrades.tsx';
import { useVerdictSentence } from './verdict-sentence.ts';

export function VerdictBanner({ job }: { job: Job }) {
  const { tone, title, text } = useVerdictSentence()(job);
  const running =
    nextStage(job) === 'scan' || (job.verdict === 'pending' && !isSettled(job.status));
  return (
    <section className={classes.banner} data-tone={tone} aria-live="polite">
      <Group justify="space-between" gap={8}>
        <Title order={2}>{title}</Title>
        {job.vuln_result && <SeverityCountsView counts={job.vuln_result.counts} />}
      </Group>
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

const ReviewDialog = loadedPart(async () => ({
  default: (await import('./review/review-dialog.tsx')).ReviewDialog,
}));

/** What opens the gate for a blocked job: who may, and the request of a review. */
function ReviewActions({ job }: { job: Job }) {
  const [t, format] = useWords('review');
  const { is_admin, can_bypass_vuln_block: bypasses } = useAccount();
  const [opened, { open, close }] = useDisclosure();
  const { blocking, allowed, requested, isRefused } = useReviewState(job);
  if (blocking.length === 0) return null;
  const reviews = is_admin || bypasses;
  return (
    <>
      <Dimmed>{t.who}</Dimmed>
      <Reviewers folder={undefined} />
      {allowed + requested > 0 && (
        <Text size="sm">
          {t.state(
            format.number(allowed),
            format.number(requested),
            format.number(blocking.length),
          )}
        </Text>
      )}
      <Group>
        <Button
          variant={isRefused && requested === 0 ? 'filled' : 'default'}
          leftSection={<IconShieldCheck size={16} />}
          onClick={open}
        >
          {reviews ? t.allow : t.request}
        </Button>
      </Group>
      {opened && <ReviewDialog job={job} blocking={blocking} reviews={reviews} onClose={close} />}
    </>
  );
}

/** Lists what the scan did not cover. */
function ScanNotes({ result }: { result: VulnResultView }) {
  const [t, format] = useWords('coverage');
  if (result.notes.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {t.title}
      </Text>
      <ul className={classes.notes}>
        {gapSentences(result, t, format).map(({ words, note }) => (
          <li key={note} {...(words === null && { lang: 'en' })}>
            {words ?? note}
          </li>
        ))}
      </ul>
    </div>
  );
}
