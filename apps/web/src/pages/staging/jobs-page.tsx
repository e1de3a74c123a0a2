import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { keyOf, page } from '../../api/api.ts';
import { useListPages } from '../../api/list-pages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useHiddenRows } from '../../kit/action/pending-acts.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { useRowSelection } from '../../kit/table/use-row-selection.ts';
import { useHasRights } from '../../session/use-has-rights.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
import { FeedBadge } from './feed-badge.tsx';
import {
  conditionsOf,
  type JobListFilter,
  NO_FILTER,
  orderOf,
  useJobFilter,
} from './job-filter.ts';
import { JobFilters } from './job-filters.tsx';
import { JobTable, jobKey } from './job-table.tsx';

/** Loaded once a row is selected. */
const JobBar = lazy(() => import('./job-bar.tsx'));
/** Loaded where no job matches. */
const NoJobs = lazy(() => import('./no-jobs.tsx'));

export function Component() {
  const t = useMessages('staging');
  const navigate = useNavigate();
  const [filter, setFilter] = useJobFilter();
  const hasRights = useHasRights();
  useShortcut('n', t.pull, () => void navigate('/staging/new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <FeedBadge />
        {hasRights && <PullButton />}
      </PageHead>
      <JobFilters filter={filter} onChange={setFilter} />
      <Jobs filter={filter} onChange={setFilter} />
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

function useJobPages(filter: JobListFilter) {
  const [words] = useDebouncedValue(filter.q.trim(), 250);
  const conditions = conditionsOf({ ...filter, q: words }, Date.now());
  const query = { ...conditions, sort: filter.sort };
  return useListPages({
    queryKey: keyOf('staging.listJobs', { query }),
    queryFn: ({ pageParam }) =>
      page('staging.listJobs', { query: { ...query, cursor: pageParam } }),
    structuralSharing: false,
  });
}

interface JobsProps {
  filter: JobListFilter;
  onChange(change: Partial<JobListFilter>): void;
}

function Jobs({ filter, onChange }: JobsProps) {
  const t = useMessages('staging');
  const jobs = useJobPages(filter);
  const hidden = useHiddenRows();
  const { data } = jobs;
  const shown = useMemo(
    () =>
      (data?.pages ?? []).flatMap(({ items }) => items).filter((job) => !hidden.has(jobKey(job))),
    [data, hidden],
  );
  const selection = useRowSelection(shown, jobKey, JSON.stringify(filter));
  if (jobs.isError && !jobs.data)
    return <FaultView error={jobs.error} retry={() => void jobs.refetch()} />;
  if (!jobs.data) return <ListSkeleton />;
  const total = jobs.data.pages[0]?.total ?? shown.length;
  if (shown.length === 0)
    return (
      <Suspense fallback={<ListSkeleton />}>
        <NoJobs filter={filter} onClear={() => onChange(NO_FILTER)}>
          <PullButton />
        </NoJobs>
      </Suspense>
    );
  return (
    <Stack gap="sm">
      <JobTable
        jobs={shown}
        sorting={{ order: filter.sort, onChange: (order) => onChange({ sort: orderOf(order) }) }}
        selection={selection}
      />
      <Text size="sm" c="dimmed" ta="center">
        {t.jobs(total)}
      </Text>
      <MoreButton pages={jobs}>{t.more}</MoreButton>
      {selection.ids.length > 0 && (
        <Suspense>
          <JobBar jobs={shown} filter={filter} selection={selection} total={total} />
        </Suspense>
      )}
    </Stack>
  );
}

function ListSkeleton() {
  return (
    <Stack gap={8} aria-busy="true">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} height={54} radius="md" />
      ))}
    </Stack>
  );
}
