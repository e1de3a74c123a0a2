/** The filters of a list of jobs or transfers by account and time, and the saved ones. */
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import { AccountFilter } from '../form/account-filter.tsx';
import { SavedFilterChips } from '../form/saved-filter-chips.tsx';
import { TimeRangeField } from '../form/time-range-field.tsx';
import classes from './list-filters.module.css';
import type { WorkFilter } from './work-filter.ts';

interface WorkConditionsProps {
  list: 'staging' | 'transfers';
  filter: WorkFilter;
  onChange(change: Partial<WorkFilter>): void;
  isFiltered: boolean;
  onClear(): void;
  /** The parameters of the address. */
  parameters: Record<string, string>;
  /** Filters of this list alone, before the others. */
  children?: ReactNode;
}

export function WorkConditions({
  list,
  filter,
  onChange,
  isFiltered,
  onClear,
  parameters,
  children,
}: WorkConditionsProps) {
  const t = useMessages('filters');
  const { is_admin } = useAccount();
  return (
    <>
      <Group gap="sm" className={classes.conditions ?? ''}>
        {children}
        {is_admin && (
          <AccountFilter
            label={t.owner}
            value={filter.owner}
            onChange={(owner) => onChange({ owner })}
          />
        )}
        <TimeRangeField label={t.requested} value={filter} onChange={onChange} />
        {isFiltered && (
          <Button variant="subtle" color="gray" onClick={onClear}>
            {t.clear}
          </Button>
        )}
      </Group>
      <SavedFilterChips list={list} query={new URLSearchParams(parameters).toString()} />
    </>
  );
}
