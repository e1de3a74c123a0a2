import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { FILTERS, type FilterName, isFilter, type JobFilter } from './job-filter.ts';
import classes from './staging.module.css';
import { useStagingWords } from './staging-words.ts';

interface JobFiltersProps {
  filter: JobFilter;
  onChange(change: Partial<JobFilter>): void;
}

export function JobFilters({ filter, onChange }: JobFiltersProps) {
  const t = useStagingWords();
  const names = Object.keys(FILTERS) as FilterName[];
  return (
    <Group gap="sm" mb="sm">
      <TextInput
        className={classes.search ?? ''}
        type="search"
        data-search
        aria-label={t.search}
        placeholder={t.search}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={filter.q}
        onChange={(event) => onChange({ q: event.currentTarget.value })}
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
