import { Button, Group, Select } from '@mantine/core';
import { VERDICTS, type Verdict } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import { AccountFilter } from '../../kit/form/account-filter.tsx';
import { SavedFilterChips } from '../../kit/form/saved-filter-chips.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import { useAccount } from '../../session/account.ts';
import { isFiltered, type JobListFilter, NO_FILTER, parametersOf } from './job-filter.ts';
import classes from './staging.module.css';

interface MoreFiltersProps {
  filter: JobListFilter;
  onChange(change: Partial<JobListFilter>): void;
}

/** The filters of the job list by verdict, account and time, and the saved ones. */
export default function MoreFilters({ filter, onChange }: MoreFiltersProps) {
  const t = useMessages('filters');
  const { is_admin } = useAccount();
  const query = new URLSearchParams(parametersOf(filter)).toString();
  return (
    <>
      <Group gap="sm" className={classes.more ?? ''}>
        <VerdictFilter value={filter.verdict} onChange={(verdict) => onChange({ verdict })} />
        {is_admin && (
          <AccountFilter
            label={t.owner}
            value={filter.owner}
            onChange={(owner) => onChange({ owner })}
          />
        )}
        <TimeRangeField label={t.requested} value={filter} onChange={onChange} />
        {isFiltered(filter) && (
          <Button variant="subtle" color="gray" onClick={() => onChange(NO_FILTER)}>
            {t.clear}
          </Button>
        )}
      </Group>
      <SavedFilterChips list="staging" query={query} />
    </>
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
