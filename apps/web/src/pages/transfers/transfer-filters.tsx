/** The filters of the list of transfers: words, state, account and time, and the saved ones. */
import { useMessages } from '../../i18n/messages.ts';
import { ListFilters } from '../../kit/list/list-filters.tsx';
import { WorkConditions } from '../../kit/list/work-conditions.tsx';
import {
  isFiltered,
  NO_FILTER,
  parametersOf,
  STATES,
  type StateName,
  type TransferListFilter,
} from './transfer-filter.ts';

interface TransferFiltersProps {
  filter: TransferListFilter;
  onChange(change: Partial<TransferListFilter>): void;
}

const NAMES = Object.keys(STATES) as StateName[];

export function TransferFilters({ filter, onChange }: TransferFiltersProps) {
  const t = useMessages('transfers');
  return (
    <ListFilters
      search={t.search}
      q={filter.q}
      onWords={(q) => onChange({ q })}
      label={t.state}
      states={NAMES}
      names={t.states}
      state={filter.state}
      onState={(state) => onChange({ state })}
    >
      <WorkConditions
        list="transfers"
        filter={filter}
        onChange={onChange}
        isFiltered={isFiltered(filter)}
        onClear={() => onChange(NO_FILTER)}
        parameters={parametersOf(filter)}
      />
    </ListFilters>
  );
}
