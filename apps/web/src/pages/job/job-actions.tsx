/** Offers the acts of a job in its state. */
import { Button, Menu } from '@mantine/core';
import type { Job, ReportFormat } from '@portcullis/contract';
import { acceptsPush, isSettled } from '@portcullis/domain';
import {
  IconFileDownload,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { call, url, useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { ActButton } from '../../kit/action/act-button.tsx';
import { ActionsMenu, GuardedMenuItem, MenuGroup } from '../../kit/action/actions-menu.tsx';
import { useDelayedAct } from '../../kit/action/delayed-act.ts';
import { useAct } from '../../kit/action/use-act.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
import { tagSuffix } from '../staging/tag-suffix.ts';
import { useReviewState } from './review/use-review-state.ts';

export function JobActions({ job, onPush }: { job: Job; onPush: () => void }) {
  const t = useMessages('job');
  const ready = acceptsPush(job);
  // Then the way on is the review, or the upgrades.
  const { isRefused } = useReviewState(job);
  const again = job.pushes.some(({ status }) => status === 'done');
  useShortcut('p', t.push, () => ready && onPush());
  return (
    <>
      {!isSettled(job.status) && <CancelButton job={job} />}
      {mayRetry(job) && <RetryButton job={job} />}
      {ready && (
        <Button
          variant={isRefused ? 'default' : 'filled'}
          leftSection={<IconUpload size={16} />}
          onClick={onPush}
        >
          {again ? t.pushAgain : t.push}
        </Button>
      )}
      <MoreActions job={job} />
    </>
  );
}

function MoreActions({ job }: { job: Job }) {
  const t = useMessages('job');
  const act = useDelayedAct();
  const navigate = useNavigate();
  return (
    <ActionsMenu label={t.more} width={200} page withinPortal={false}>
      {job.vuln_result && (
        <>
          <ReportMenu job={job} />
          <Menu.Divider role="separator" />
        </>
      )}
      <GuardedMenuItem
        refusal={null}
        danger
        icon={IconTrash}
        onClick={() => {
          act({
            name: 'staging.removeJob',
            request: { params: { job_id: job.job_id } },
            changes: 'staging.listJobs',
            hides: [job.job_id],
            message: t.removed(job.image + tagSuffix(job.tag)),
          });
          void navigate('/staging');
        }}
      >
        {t.remove}
      </GuardedMenuItem>
    </ActionsMenu>
  );
}

function CancelButton({ job }: { job: Job }) {
  const t = useMessages('job');
  return (
    <ActButton icon={IconPlayerStop} act={useJobOrder('staging.cancelJob', job)}>
      {t.cancel}
    </ActButton>
  );
}

function RetryButton({ job }: { job: Job }) {
  const t = useMessages('job');
  return (
    <ActButton icon={IconRefresh} act={useJobOrder('staging.retryJob', job)}>
      {job.status === 'staged' ? t.rescan : t.retry}
    </ActButton>
  );
}

function useJobOrder(name: 'staging.cancelJob' | 'staging.retryJob', { job_id }: Job) {
  const run = () => call(name, { params: { job_id } });
  return useAct({ run, changes: ['staging.getJob'] });
}

/** A hint only: the server decides (stageToRetry in packages/domain). */
function mayRetry({ status }: Job): boolean {
  return status === 'staged' || status === 'failed' || status === 'cancelled';
}

const FORMATS = ['json', 'sarif', 'cyclonedx', 'spdx'] as const;
/** Formats without a report of one platform. */
const WHOLE = 'junit';
const FORMAT_NAMES = { json: 'JSON', sarif: 'SARIF', cyclonedx: 'CycloneDX', spdx: 'SPDX' };

/**
 * Offers the reports of a job as downloads. Report downloads in each format; for an index also by
 * platform.
 */
function ReportMenu({ job }: { job: Job }) {
  const t = useMessages('job');
  const { data = [] } = useAnswer('staging.listReportPlatforms', {
    params: { job_id: job.job_id },
  });
  const platforms = [...new Set(data.flatMap(({ platform }) => platform ?? []))];
  return (
    <MenuGroup label={t.report}>
      {FORMATS.map((format) =>
        platforms.length > 1 ? (
          <Menu.Sub key={format}>
            <Menu.Sub.Target>
              <Menu.Sub.Item leftSection={<IconFileDownload size={16} />}>
                {FORMAT_NAMES[format]}
              </Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown>
              <Download job={job} format={format} label={t.allPlatforms} />
              {platforms.map((platform) => (
                <Download
                  key={platform}
                  job={job}
                  format={format}
                  platform={platform}
                  label={platform}
                />
              ))}
            </Menu.Sub.Dropdown>
          </Menu.Sub>
        ) : (
          <Download key={format} job={job} format={format} label={FORMAT_NAMES[format]} />
        ),
      )}
      <Download job={job} format={WHOLE} label="JUnit" />
    </MenuGroup>
  );
}

interface DownloadProps {
  job: Job;
  format: ReportFormat;
  platform?: string;
  label: string;
}

function Download({ job, format, platform, label }: DownloadProps) {
  const query = { format, ...(platform !== undefined && { platform }) };
  return (
    <Menu.Item
      component="a"
      href={url('staging.downloadReport', { params: { job_id: job.job_id }, query })}
      download
      leftSection={<IconFileDownload size={16} />}
    >
      {label}
    </Menu.Item>
  );
}
