import { Group, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { SearchField } from '../../kit/form/search-field.tsx';
import { Segments } from '../../kit/form/segments.tsx';
import { FILTERS, type FilterName, type JobListFilter } from './job-filter.ts';
import classes from './staging.module.css';

/** Loaded after the list, which does not wait for it. */
const MoreFilters = lazy(() => import('./more-filters.tsx'));

interface JobFiltersProps {
  filter: JobListFilter;
  onChange(change: Partial<JobListFilter>): void;
}

export function JobFilters({ filter, onChange }: JobFiltersProps) {
  const t = useMessages('staging');
  const names = Object.keys(FILTERS) as FilterName[];
  return (
    <search className={classes.filters}>
      <Group gap="sm">
        <SearchField
          className={classes.search ?? ''}
          label={t.search}
          value={filter.q}
          onChange={(text) => onChange({ q: text })}
        />
        <div className={classes.scroller}>
          <Segments
            label={t.filterLabel}
            options={names.map((value) => ({ value, label: t.filters[value] }))}
            value={filter.show}
            onChange={(show) => onChange({ show })}
          />
        </div>
      </Group>
      <Suspense fallback={<Skeleton height={36} />}>
        <MoreFilters filter={filter} onChange={onChange} />
      </Suspense>
    </search>
  );
}
