import { Select } from '@mantine/core';
import { VERDICTS, type Verdict } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import { WorkConditions } from '../../kit/list/work-conditions.tsx';
import { isFiltered, type JobListFilter, NO_FILTER, parametersOf } from './job-filter.ts';

interface MoreFiltersProps {
  filter: JobListFilter;
  onChange(change: Partial<JobListFilter>): void;
}

/** The filters of the job list by verdict, account and time, and the saved ones. */
export default function MoreFilters({ filter, onChange }: MoreFiltersProps) {
  return (
    <WorkConditions
      list="staging"
      filter={filter}
      onChange={onChange}
      isFiltered={isFiltered(filter)}
      onClear={() => onChange(NO_FILTER)}
      parameters={parametersOf(filter)}
    >
      <VerdictFilter value={filter.verdict} onChange={(verdict) => onChange({ verdict })} />
    </WorkConditions>
  );
}

interface VerdictFilterProps {
  value: Verdict | null;
  onChange(verdict: Verdict | null): void;
}

function VerdictFilter({ value, onChange }: VerdictFilterProps) {
  const t = useMessages('filters');
  const { verdict: words } = useMessages('verdict');
  return (
    <Select
      aria-label={t.verdict}
      placeholder={t.anyVerdict}
      data={VERDICTS.map((verdict) => ({ value: verdict, label: words[verdict] }))}
      value={value}
      clearable
      onChange={(chosen) => onChange(VERDICTS.find((each) => each === chosen) ?? null)}
    />
  );
}
