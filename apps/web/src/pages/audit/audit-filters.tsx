import { Button, Select, TextInput } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { SearchField } from '../../kit/form/search-field.tsx';
import classes from './audit.module.css';
import { type AuditView, EVERYTHING, isFiltered, RANGES } from './audit-filter.ts';

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
      <SearchField
        label={t.event}
        placeholder={`${t.event}: auth.login`}
        leftSection={null}
        value={view.event}
        onChange={(event) => onChange({ event })}
      />
      <Select
        aria-label={t.range}
        data={RANGES.map((value) => ({ value, label: t.ranges[value] }))}
        value={view.range}
        allowDeselect={false}
        onChange={(chosen) => onChange({ range: RANGES.find((each) => each === chosen) ?? 'all' })}
      />
      {view.range === 'own' && (
        <>
          <TextInput
            type="datetime-local"
            aria-label={t.since}
            value={view.since}
            onChange={(event) => onChange({ since: event.currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            aria-label={t.until}
            value={view.until}
            onChange={(event) => onChange({ until: event.currentTarget.value })}
          />
        </>
      )}
      {isFiltered(view) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(EVERYTHING)}>
          {t.clear}
        </Button>
      )}
    </search>
  );
}
