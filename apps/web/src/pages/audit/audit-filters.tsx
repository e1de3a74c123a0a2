import { Button } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { SearchField } from '../../kit/form/search-field.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import classes from './audit.module.css';
import { type AuditView, EVERYTHING, isFiltered } from './audit-filter.ts';

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
      <TimeRangeField value={view} onChange={onChange} />
      {isFiltered(view) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(EVERYTHING)}>
          {t.clear}
        </Button>
      )}
    </search>
  );
}
