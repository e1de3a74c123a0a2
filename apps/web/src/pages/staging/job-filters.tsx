import { Group, SegmentedControl } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { SearchField } from '../../kit/form/search-field.tsx';
import { FILTERS, type FilterName, isFilter, type JobListFilter } from './job-filter.ts';
import classes from './staging.module.css';

interface JobFiltersProps {
  filter: JobListFilter;
  onChange(change: Partial<JobListFilter>): void;
}

export function JobFilters({ filter, onChange }: JobFiltersProps) {
  const t = useMessages('staging');
  const names = Object.keys(FILTERS) as FilterName[];
  return (
    <Group gap="sm" mb="sm">
      <SearchField
        className={classes.search ?? ''}
        label={t.search}
        value={filter.q}
        onChange={(text) => onChange({ q: text })}
      />
      <div className={classes.scroller}>
        <SegmentedControl
          size="sm"
          aria-label={t.filterLabel}
          data={names.map((value) => ({ value, label: t.filters[value] }))}
          value={filter.show}
          onChange={(show) => isFilter(show) && onChange({ show })}
        />
      </div>
    </Group>
  );
}
