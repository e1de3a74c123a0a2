/** Shows a job, and follows it live. */
import { Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { Breadcrumbs } from '../../kit/layout/breadcrumbs.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { FeedBadge } from '../staging/feed-badge.tsx';
import { tagSuffix } from '../staging/tag-suffix.ts';
import { FindingWaiversContext, useFindingWaivers } from './findings/finding-waivers.ts';
import { Findings } from './findings/findings.tsx';
import classes from './job.module.css';
import { JobActions } from './job-actions.tsx';
import { JobFacts } from './job-facts.tsx';
import { jobQuery } from './job-query.ts';
import { PushDialog } from './push/push-dialog.tsx';
import { Pushes } from './pushes.tsx';
import { Timeline } from './timeline.tsx';
import { VerdictBanner } from './verdict-banner.tsx';

export function Component() {
  const t = useMessages('job');
  const { jobId = '' } = useParams();
  const job = useQuery(jobQuery(jobId));
  const [pushing, push] = useDisclosure();
  const waivers = useFindingWaivers(jobId, (job.data?.vuln_result?.total ?? 0) > 0);
  if (job.isError && !job.data)
    return <FaultView error={job.error} retry={() => void job.refetch()} page />;
  if (!job.data) return <JobSkeleton />;
  const { image, tag, source, vuln_result } = job.data;
  const name = `${image}${tagSuffix(tag)}`;
  return (
    <FindingWaiversContext value={waivers}>
      <Breadcrumbs label={t.back} parents={[{ name: t.back, to: '/staging' }]} />
      <PageHead title={name} description={shownPlace(source.host, source.registry_id)}>
        <FeedBadge />
        <JobActions job={job.data} onPush={push.open} />
      </PageHead>
      <div className={classes.layout}>
        <Stack gap="lg" className={classes.main}>
          <VerdictBanner job={job.data} />
          <Pushes job={job.data} />
          {vuln_result?.vulnerabilities && <Findings job={job.data} />}
        </Stack>
        <Stack gap="lg" component="aside" className={classes.side}>
          <JobFacts job={job.data} />
          <Timeline job={job.data} />
        </Stack>
      </div>
      <PushDialog job={job.data} opened={pushing} onClose={push.close} />
    </FindingWaiversContext>
  );
}

function JobSkeleton() {
  return (
    <Stack aria-busy="true">
      <Skeleton height={28} width={320} />
      <Skeleton height={92} radius="md" />
      <Skeleton height={360} radius="md" />
    </Stack>
  );
}
