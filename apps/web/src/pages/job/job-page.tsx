/** Shows a job, and follows it live. */
import { Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Job } from '@portcullis/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { keyOf, text } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { CopyButton } from '../../kit/action/copy-button.tsx';
import { FaultView } from '../../kit/fault/fault.tsx';
import { Breadcrumbs, PageHead } from '../../kit/layout/page-head.tsx';
import { FactList, Panel } from '../../kit/layout/panel.tsx';
import { Digest } from '../../kit/text/digest.tsx';
import { useSampleData } from '../../shell/use-sample-data.ts';
import { usePlaceName } from '../registries/use-place-name.ts';
import { FeedBadge } from '../staging/feed-badge.tsx';
import { tagSuffix } from '../staging/tag-suffix.ts';
import { FindingWaiversContext, useFindingWaivers } from './findings/finding-waivers.ts';
import { Findings } from './findings/findings.tsx';
import classes from './job.module.css';
import { JobActions } from './job-actions.tsx';
import { parsedOnce } from './parsed-once.ts';
import { PushDialog } from './push/push-dialog.tsx';
import { Pushes } from './pushes.tsx';
import { Timeline } from './timeline.tsx';
import { VerdictBanner } from './verdict-banner.tsx';

export function Component() {
  const t = useMessages('job');
  const { jobId = '' } = useParams();
  const job = useQuery(jobQuery(jobId));
  const [pushing, push] = useDisclosure();
  const nameOf = usePlaceName();
  const { waivers, isLoading } = useFindingWaivers(jobId, job.data);
  if (job.isError && !job.data)
    return <FaultView error={job.error} retry={() => void job.refetch()} page />;
  if (!job.data || isLoading) return <JobSkeleton />;
  const { image, tag, source, vuln_result } = job.data;
  const name = `${image}${tagSuffix(tag)}`;
  return (
    <FindingWaiversContext value={waivers}>
      <Breadcrumbs label={t.back} parents={[{ name: t.back, to: '/staging' }]} />
      <PageHead title={name} description={nameOf(source.host, source.registry_id)}>
        <FeedBadge />
        <JobActions job={job.data} onPush={push.open} />
      </PageHead>
      <div className={classes.layout}>
        <Stack gap="lg" className={classes.main}>
          <VerdictBanner job={job.data} onPush={push.open} />
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

/** Shows what a job is about. */
function JobFacts({ job }: { job: Job }) {
  const [t, format] = useWords('job');
  const { sampleData } = useMessages('shell');
  const isSample = useSampleData();
  const { platforms, digest, size, owner, vuln_result: result, image_released_at: released } = job;
  const os = result?.os;
  const scanner = result?.scanner;
  return (
    <Panel title={t.facts}>
      <FactList
        facts={[
          [t.digest, digest && <Digest key="digest" digest={digest} />],
          [t.size, size !== null && format.bytes(size)],
          [t.stagedImage, released && t.imageReleased(format.dateTime(released))],
          [t.platforms, platforms === 'all' ? t.all : platforms.join(', ')],
          [t.owner, owner],
          [t.overrides, useOverrides(job)],
          [t.os, os && `${os.family} ${os.name}${os.eosl ? ` (${t.eosl})` : ''}`],
          [t.scanner, scanner && `${scanner.name} ${scanner.version}`],
          [
            t.database,
            scanner?.db_updated_at &&
              format.dateTime(scanner.db_updated_at) + (isSample ? ` (${sampleData.title})` : ''),
          ],
          [
            t.requestId,
            job.request_id && (
              <span key="id">
                <code>{job.request_id}</code> <CopyButton text={job.request_id} />
              </span>
            ),
          ],
        ]}
      />
    </Panel>
  );
}

function useOverrides({ overrides }: Job): string {
  const [t, format] = useWords('job');
  const { severity } = useMessages('verdict');
  const { vuln_scan_enabled: scan, vuln_severities: severities } = overrides;
  const parts = [
    scan === false ? t.noScan : null,
    severities && t.blocks(format.list(severities.map((each) => severity[each]))),
  ];
  return parts.filter(Boolean).join(', ');
}

/** The query of a job with its findings, which may be megabytes. */
function jobQuery(jobId: string) {
  const request = { params: { job_id: jobId } };
  return queryOptions({
    queryKey: keyOf('staging.getJob', request),
    queryFn: async ({ client, queryKey }) => {
      const body = await text('staging.getJob', request);
      return parsedOnce(body, client.getQueryData<Job>(queryKey));
    },
    // A comparison of all findings would take longer than to render what is visible.
    structuralSharing: false,
  });
}
