/** The newest jobs: the caller's own; for an administrator, of all accounts. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { type Column, defineColumns, quiet, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useAccount } from '../../session/account.ts';
import { JobState } from '../staging/job-state.tsx';
import { tagSuffix } from '../staging/tag-suffix.ts';

const REFRESH_MS = 30_000;
const MOST = 5;
const REQUEST = { query: { limit: MOST } };

/** One request for the page and its panel. */
export const useRecentJobs = (enabled: boolean) =>
  useAnswer('staging.listJobs', REQUEST, { enabled, refetchInterval: REFRESH_MS });

export function RecentJobs() {
  const t = useMessages('dashboard');
  const { is_admin: isAdmin } = useAccount();
  const { data } = useRecentJobs(true);
  const columns = useColumns();
  if (data === undefined) return null;
  const title = isAdmin ? t.newestJobs : t.yourJobs;
  if (data.length === 0) return <NoJobs title={title} />;
  return (
    <Panel
      title={title}
      flush
      actions={
        <Anchor component={Link} to="/staging" size="sm">
          {t.allJobs}
        </Anchor>
      }
    >
      <DataTable rows={data} columns={columns} keyOf={jobOf} className={table.inner} />
    </Panel>
  );
}

function NoJobs({ title }: { title: string }) {
  const t = useMessages('dashboard');
  return (
    <Panel title={title}>
      <Group justify="space-between">
        <Text c="dimmed">{t.noOwnJobs}</Text>
        <Button component={Link} to="/staging/new" variant="default">
          {t.pull}
        </Button>
      </Group>
    </Panel>
  );
}

const jobOf = ({ job_id }: Job) => job_id;

const useColumns = defineColumns('dashboard', (t): Column<Job>[] => [
  {
    id: 'image',
    title: t.image,
    cell: ({ job_id, image, tag }) => (
      <RowName to={`/staging/${job_id}`}>
        <LongName>{`${image}${tagSuffix(tag)}`}</LongName>
      </RowName>
    ),
  },
  { id: 'state', title: t.now, cell: (job) => <JobState job={job} /> },
  quiet({ id: 'at', title: t.requested, cell: ({ created_at: at }) => <RelativeTime at={at} /> }),
]);
