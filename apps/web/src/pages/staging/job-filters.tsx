import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { ListFilters } from '../../kit/list/list-filters.tsx';
import { FILTERS, type FilterName, type JobListFilter } from './job-filter.ts';

/** Loaded after the list, which does not wait for it. */
const MoreFilters = lazy(() => import('./more-filters.tsx'));

interface JobFiltersProps {
  filter: JobListFilter;
  onChange(change: Partial<JobListFilter>): void;
}

const NAMES = Object.keys(FILTERS) as FilterName[];

export function JobFilters({ filter, onChange }: JobFiltersProps) {
  const t = useMessages('staging');
  return (
    <ListFilters
      search={t.search}
      q={filter.q}
      onWords={(q) => onChange({ q })}
      label={t.filterLabel}
      states={NAMES}
      names={t.filters}
      state={filter.show}
      onState={(show) => onChange({ show })}
    >
      <Suspense fallback={<Skeleton height={36} />}>
        <MoreFilters filter={filter} onChange={onChange} />
      </Suspense>
    </ListFilters>
  );
}
