/** Says what the gate decides about a job, why, and what to do then. */
import { Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Job, VulnResultView } from '@portcullis/contract';
import { isOfOneImage, isSettled, nextStage } from '@portcullis/domain';
import { IconShieldCheck, IconUpload } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ServerDetails } from '../../kit/fault/job-fault.tsx';
import { loadedPart } from '../../kit/loaded-part.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { useAccount } from '../../session/account.ts';
import { Reviewers } from '../../session/contacts.tsx';
import { useMirrorFolders } from '../images/mirror-folders.ts';
import { Running } from '../staging/job-state.tsx';
import { Elsewhere } from './elsewhere.tsx';
import { gapSentences } from './gaps/gap-sentence.ts';
import { INSTEAD_SKELETON } from './instead/instead-skeleton.tsx';
import { Upgrades } from './instead/upgrades.tsx';
import classes from './job.module.css';
import { approvedReview, type JobReview } from './review/approved-review.ts';
import { JobReviews, reviewPlace, reviewsOf } from './review/job-reviews.tsx';
import { REVIEW } from './review/review-path.ts';
import { useReviewState } from './review/use-review-state.ts';
import { useStandingSentence } from './standing-sentence.ts';
import { type Sentence, useVerdictSentence } from './verdict-sentence.ts';

interface VerdictBannerProps {
  job: Job;
  onPush(): void;
}

export function VerdictBanner({ job, onPush }: VerdictBannerProps) {
  const words = useVerdictSentence()(job);
  const approved = approvedReview(job, Date.now());
  const allowed = useAllowedSentence();
  const standing = useStandingSentence()(job);
  const { tone, title, text } = standing ?? (approved ? allowed(approved) : words);
  const isRefused = job.verdict === 'blocked' && !approved && standing === null;
  const running =
    nextStage(job) === 'scan' || (job.verdict === 'pending' && !isSettled(job.status));
  return (
    <section className={classes.banner} data-tone={tone} aria-live="polite">
      <Group justify="space-between" gap={8}>
        <Title order={2}>{title}</Title>
        {job.vuln_result && <SeverityCountsView counts={job.vuln_result.counts} />}
      </Group>
      {text && <Text>{text}</Text>}
      <Elsewhere job={job} />
      {approved && isLeftToPush(job, approved) && <Next review={approved} onPush={onPush} />}
      <JobReviews job={job} />
      {job.verdict === 'blocked' && job.vuln_result?.vulnerabilities && (
        <>
          {isRefused && <Instead job={job} />}
          {isRefused && <ReviewActions job={job} />}
          {isRefused && <Upgrades result={job.vuln_result} />}
        </>
      )}
      {isLacking(job) && <LackActions job={job} />}
      {job.error && job.pushes.length === 0 && <ServerDetails>{job.error.message}</ServerDetails>}
      {running && job.status.endsWith('ing') && <Running job={job} plain />}
      {job.vuln_result && <ScanNotes result={job.vuln_result} />}
    </section>
  );
}

/** What brings an approved image in: a push, or where nothing is pushed the next pull. */
function Next({ review, onPush }: { review: JobReview; onPush(): void }) {
  const { push } = useMessages('job');
  const { pullNow } = useMessages('reviewRequest');
  if (useMirrorFolders().has(review.folder ?? '')) return <Text>{pullNow}</Text>;
  return (
    <Group>
      <Button leftSection={<IconUpload size={16} />} onClick={onPush}>
        {push}
      </Button>
    </Group>
  );
}

/** An approval may have a push that follows by itself. */
function isLeftToPush({ pushes }: Job, { push, registry_id, repository }: JobReview): boolean {
  const isThere = pushes.some(
    (each) =>
      each.status === 'done' &&
      each.target_image === repository &&
      (each.registry_id ?? null) === registry_id,
  );
  return !isThere && (push === null || push.state === 'refused');
}

const Instead = loadedPart(() => import('./instead/instead.tsx'), INSTEAD_SKELETON);
const RequestDialog = loadedPart(() => import('./review/request-dialog.tsx'));
const ReviewDialog = loadedPart(async () => ({
  default: (await import('./review/review-dialog.tsx')).ReviewDialog,
}));

/** Whether nothing but its age or its signatures keeps the image out. */
const isLacking = ({ standing }: Job) =>
  standing?.state === 'blocked' && isOfOneImage(standing.code ?? '');

/** What opens the gate for an image that is too young or not signed: a request, or reviewers. */
function LackActions({ job }: { job: Job }) {
  const t = useMessages('review');
  const [opened, { open, close }] = useDisclosure();
  const isAsked = reviewsOf(job).some(({ state }) => state === 'open');
  return (
    <>
      <Reviewers folder={folderOf(job)} />
      {!isAsked && (
        <Group>
          <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={open}>
            {t.request}
          </Button>
        </Group>
      )}
      {opened && <RequestDialog job={job} onClose={close} />}
    </>
  );
}

/** Of the place that the job is for. */
const folderOf = ({ destination, standing }: Job): string | undefined =>
  (destination ?? standing?.destination)?.folder ?? undefined;

/** What opens the gate for a blocked job: who may, and the request of a review. */
function ReviewActions({ job }: { job: Job }) {
  const [t, format] = useWords('review');
  const { is_admin, can_bypass_vuln_block: bypasses } = useAccount();
  const [params] = useSearchParams();
  const [opened, { open, close }] = useDisclosure(params.has(REVIEW));
  const { blocking, allowed, requested, isRefused } = useReviewState(job);
  if (blocking.length === 0) return null;
  const reviews = is_admin || bypasses;
  const isAsked = requested > 0 || reviewsOf(job).some(({ state }) => state === 'open');
  return (
    <>
      <Reviewers folder={folderOf(job)} />
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
          variant={isRefused && !isAsked ? 'filled' : 'default'}
          leftSection={<IconShieldCheck size={16} />}
          onClick={open}
        >
          {reviews ? t.allow : t.request}
        </Button>
      </Group>
      {opened && reviews && <ReviewDialog job={job} blocking={blocking} onClose={close} />}
      {opened && !reviews && <RequestDialog job={job} onClose={close} />}
    </>
  );
}

/** In place of the verdict: an image that may be pushed is not called blocked. */
function useAllowedSentence(): (review: JobReview) => Sentence {
  const [t, format] = useWords('reviewRequest');
  return (review) => ({
    tone: 'good',
    title: t.allowedTitle(reviewPlace(review)),
    text: t.allowedText(format.dateTime(review.until)),
  });
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
