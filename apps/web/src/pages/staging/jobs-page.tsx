import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconFilterOff, IconStack2 } from '@tabler/icons-react';
import { lazy, Suspense, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { keyOf, page } from '../../api/api.ts';
import { useListPages } from '../../api/list-pages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useHiddenRows } from '../../kit/action/pending-acts.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { useRowSelection } from '../../kit/table/use-row-selection.ts';
import { useAccount } from '../../session/account.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
import { FeedBadge } from './feed-badge.tsx';
import {
  conditionsOf,
  isFiltered,
  type JobListFilter,
  NO_FILTER,
  orderOf,
  useJobFilter,
} from './job-filter.ts';
import { JobFilters } from './job-filters.tsx';
import { JobTable, jobKey } from './job-table.tsx';

/** Loaded once a row is selected. */
const JobBar = lazy(() => import('./job-bar.tsx'));

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

/** All permissions come from groups. */
function useHasRights(): boolean {
  const { is_admin, groups } = useAccount();
  return is_admin || groups.length > 0;
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
  if (shown.length === 0) return <NoJobs filter={filter} onClear={() => onChange(NO_FILTER)} />;
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

function NoJobs({ filter, onClear }: { filter: JobListFilter; onClear: () => void }) {
  const t = useMessages('staging');
  const hasRights = useHasRights();
  if (!hasRights) return <EmptyState icon={IconStack2} title={t.noRightsTitle} text={t.noRights} />;
  if (!isFiltered(filter))
    return (
      <EmptyState icon={IconStack2} title={t.emptyTitle} text={t.emptyText}>
        <PullButton />
      </EmptyState>
    );
  return (
    <EmptyState icon={IconFilterOff} title={t.noMatchTitle} text={t.noMatchText}>
      <Button variant="default" onClick={onClear}>
        {t.clear}
      </Button>
    </EmptyState>
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
