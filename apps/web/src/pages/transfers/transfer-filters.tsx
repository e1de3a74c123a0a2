/** The filters of the list of transfers: words, state, account and time, and the saved ones. */
import { Button, Group } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { AccountFilter } from '../../kit/form/account-filter.tsx';
import { SavedFilterChips } from '../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { Segments } from '../../kit/form/segments.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import { useAccount } from '../../session/account.ts';
import {
  isFiltered,
  NO_FILTER,
  parametersOf,
  STATES,
  type StateName,
  type TransferListFilter,
} from './transfer-filter.ts';
import classes from './transfers.module.css';

interface TransferFiltersProps {
  filter: TransferListFilter;
  onChange(change: Partial<TransferListFilter>): void;
}

export function TransferFilters({ filter, onChange }: TransferFiltersProps) {
  const t = useMessages('transfers');
  const names = Object.keys(STATES) as StateName[];
  const query = new URLSearchParams(parametersOf(filter)).toString();
  return (
    <search className={classes.filters}>
      <Group gap="sm">
        <SearchField
          className={classes.search ?? ''}
          label={t.search}
          value={filter.q}
          onChange={(q) => onChange({ q })}
        />
        <div className={classes.scroller}>
          <Segments
            label={t.state}
            options={names.map((value) => ({ value, label: t.states[value] }))}
            value={filter.state}
            onChange={(state) => onChange({ state })}
          />
        </div>
      </Group>
      <Conditions filter={filter} onChange={onChange} />
      <SavedFilterChips list="transfers" query={query} />
    </search>
  );
}

function Conditions({ filter, onChange }: TransferFiltersProps) {
  const t = useMessages('filters');
  const { is_admin } = useAccount();
  return (
    <Group gap="sm" className={classes.conditions ?? ''}>
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
  );
}
