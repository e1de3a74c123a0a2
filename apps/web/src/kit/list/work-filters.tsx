/** The filters of a list of jobs or transfers by account, for administrators, and by time. */
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import { AccountFilter } from '../form/account-filter.tsx';
import type { TimeRange } from '../form/time-range.ts';
import { TimeRangeField } from '../form/time-range-field.tsx';

interface WorkState {
  owner: string;
  requested: TimeRange;
}

interface WorkFiltersProps {
  state: WorkState;
  onChange(change: Partial<WorkState>): void;
}

export function WorkFilters({ state, onChange }: WorkFiltersProps) {
  const t = useMessages('filters');
  const { is_admin } = useAccount();
  return (
    <>
      {is_admin && (
        <AccountFilter
          label={t.owner}
          value={state.owner}
          onChange={(owner) => onChange({ owner })}
        />
      )}
      <TimeRangeField
        label={t.requested}
        value={state.requested}
        onChange={(requested) => onChange({ requested })}
      />
    </>
  );
}
