import { Button, Skeleton } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { IconDownload, IconStack2 } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FilterBar, StateFilter } from '../../kit/list/filter-bar.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { loadedPart } from '../../kit/loaded-part.tsx';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { useAccount } from '../../session/account.ts';
import { NoRights, useHasRights } from '../../session/no-rights.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { usePlaceName } from '../registries/use-place-name.ts';
import { Bypassed } from './bypassed-by.tsx';
import { FeedBadge } from './feed-badge.tsx';
import { SHOWN } from './job-filter.ts';
import { useJobList } from './job-list.ts';
import { JobProblem } from './job-problem.tsx';
import { JobState } from './job-state.tsx';
import { JobVerdict } from './job-verdict.tsx';
import { tagSuffix } from './tag-suffix.ts';

/** Loaded once a row is selected. */
const JobBar = loadedPart(() => import('./job-bar.tsx'));
/** Loaded after the list, which does not wait for it. */
const MoreFilters = loadedPart(() => import('./more-filters.tsx'), <Skeleton height={36} />);

export function Component() {
  const t = useMessages('staging');
  const navigate = useNavigate();
  const hasRights = useHasRights();
  const list = useJobList();
  const { state, change } = list;
  useShortcut('n', t.pull, () => void navigate('/staging/new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <FeedBadge />
        {hasRights && <PullButton />}
      </PageHead>
      <FilterBar
        list={list}
        search={t.search}
        saved="staging"
        states={
          <StateFilter
            label={t.filterLabel}
            values={SHOWN}
            names={t.filters}
            value={state.show}
            onChange={(show) => change({ show })}
          />
        }
      >
        <MoreFilters list={list} />
      </FilterBar>
      <ListView
        list={list}
        columns={useJobColumns()}
        words={t}
        count={t.jobs}
        empty={
          hasRights ? (
            <EmptyState icon={IconStack2} title={t.emptyTitle} text={t.emptyText}>
              <PullButton />
            </EmptyState>
          ) : (
            <NoRights />
          )
        }
      >
        {(selectable) =>
          selectable.table.selection.ids.length > 0 && <JobBar list={selectable} state={state} />
        }
      </ListView>
    </>
  );
}

function PullButton() {
  return (
    <Button component={Link} to="/staging/new" leftSection={<IconDownload size={16} />}>
      {useMessages('staging').pull}
    </Button>
  );
}

/** Defines the columns of jobs. */
function useJobColumns(): Column<Job>[] {
  return useColumns(useAccount().is_admin);
}

const useColumns = defineColumns('staging', (t, _, isAdmin: boolean): Column<Job>[] => {
  const quiet = `${table.quiet} ${table.nowrap}`;
  const owner: Column<Job> = {
    title: t.owner,
    sort: 'owner',
    className: quiet,
    width: '12%',
    cell: (job) => job.owner,
  };
  return [
    { title: t.image, sort: 'image', cell: (job) => <JobImage job={job} /> },
    {
      title: t.result,
      sort: 'verdict',
      width: '28%',
      cell: (job) => <JobVerdict job={job} />,
    },
    { title: t.state, sort: 'status', width: '24%', cell: stateOf },
    ...(isAdmin ? [owner] : []),
    timeColumn('created_at', t.created),
  ];
});

function stateOf(job: Job) {
  return (
    <>
      <JobState job={job} />
      <JobProblem job={job} />
      <Bypassed job={job} />
    </>
  );
}

function JobImage({ job }: { job: Job }) {
  const nameOf = usePlaceName();
  return (
    <RowName to={`/staging/${job.job_id}`} under={nameOf(job.source.host, job.source.registry_id)}>
      <LongName>{job.image}</LongName>
      <span className={table.prefix}>{tagSuffix(job.tag)}</span>
    </RowName>
  );
}
