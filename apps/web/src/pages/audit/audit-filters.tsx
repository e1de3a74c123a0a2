import { Button, Select } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { SavedFilterChips } from '../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import classes from './audit.module.css';
import { type AuditView, EVERYTHING, isFiltered, OUTCOMES, parametersOf } from './audit-filter.ts';
import { EventFilter } from './event-filter.tsx';

interface AuditFiltersProps {
  view: AuditView;
  onChange(change: Partial<AuditView>): void;
}

export function AuditFilters({ view, onChange }: AuditFiltersProps) {
  const t = useMessages('audit');
  return (
    <search className={classes.filters}>
      <SearchField
        className={classes.words ?? ''}
        label={t.search}
        value={view.q}
        onChange={(q) => onChange({ q })}
      />
      <SearchField
        label={t.actor}
        leftSection={null}
        value={view.actor}
        onChange={(actor) => onChange({ actor })}
      />
      <EventFilter value={view.event} onChange={(event) => onChange({ event })} />
      <Select
        aria-label={t.outcome}
        placeholder={t.anyOutcome}
        data={OUTCOMES.map((value) => ({ value, label: t.outcomes[value] }))}
        value={view.outcome}
        clearable
        onChange={(chosen) =>
          onChange({ outcome: OUTCOMES.find((each) => each === chosen) ?? null })
        }
      />
      <TimeRangeField value={view} onChange={onChange} />
      {isFiltered(view) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(EVERYTHING)}>
          {t.clear}
        </Button>
      )}
      <SavedFilterChips list="audit" query={new URLSearchParams(parametersOf(view)).toString()} />
    </search>
  );
}
