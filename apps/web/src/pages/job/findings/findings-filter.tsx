/** Filters the findings of a job. */
import { Checkbox, Group, SegmentedControl, UnstyledButton } from '@mantine/core';
import type { VulnResultView } from '@portcullis/contract';
import { SEVERITIES, type Severity } from '@portcullis/domain';
import type { ReactNode } from 'react';
import { useFormat, useMessages, useWords } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import type { ShownFindingFilter } from './finding-list.ts';
import type { FindingOrder } from './finding-order.ts';
import classes from './findings.module.css';

export type Grouping = 'vulnerability' | 'package';

interface FindingsFilterProps {
  counts: VulnResultView['counts'];
  filter: ShownFindingFilter;
  onFilter(change: Partial<ShownFindingFilter>): void;
  onSeverity(severity: Severity): void;
  /** Whether a finding is known to be exploited. */
  hasExploited: boolean;
  /** The number of new findings; null without a previous scan. */
  newCount: number | null;
  grouping: Grouping;
  onGrouping(grouping: Grouping): void;
  order: FindingOrder;
  onOrder(order: FindingOrder): void;
  children: ReactNode;
}

export function FindingsFilter({
  counts,
  filter,
  onFilter,
  onSeverity,
  hasExploited,
  newCount,
  grouping,
  onGrouping,
  order,
  onOrder,
  children,
}: FindingsFilterProps) {
  const [t, format] = useWords('findings');
  return (
    <div className={classes.filter}>
      <Group gap={6}>
        {SEVERITIES.filter((each) => counts[each] > 0 || filter.severities.includes(each)).map(
          (severity) => (
            <SeverityToggle
              key={severity}
              severity={severity}
              count={counts[severity]}
              pressed={filter.severities.includes(severity)}
              onToggle={() => onSeverity(severity)}
            />
          ),
        )}
      </Group>
      <Group gap="sm">
        <SearchField
          className={classes.search ?? ''}
          label={t.search}
          value={filter.text}
          onChange={(text) => onFilter({ text })}
        />
        <Checkbox
          label={t.fixable}
          checked={filter.fixableOnly}
          onChange={(event) => onFilter({ fixableOnly: event.currentTarget.checked })}
        />
        {(hasExploited || filter.exploitedOnly) && (
          <Checkbox
            label={t.exploited}
            checked={filter.exploitedOnly}
            onChange={(event) => onFilter({ exploitedOnly: event.currentTarget.checked })}
          />
        )}
        {newCount !== null && (
          <Checkbox
            label={t.onlyNew(format.number(newCount))}
            checked={filter.newOnly}
            onChange={(event) => onFilter({ newOnly: event.currentTarget.checked })}
          />
        )}
        <ChoiceSelect
          aria-label={t.sort}
          className={classes.order}
          names={t.orders}
          value={order}
          onChange={onOrder}
        />
        <SegmentedControl
          size="sm"
          aria-label={t.groupBy}
          data={GROUPINGS.map((value) => ({ value, label: t.groups[value] }))}
          value={grouping}
          onChange={(value) => onGrouping(value === 'package' ? 'package' : 'vulnerability')}
        />
      </Group>
      {children}
    </div>
  );
}

const GROUPINGS = ['vulnerability', 'package'] as const;

interface SeverityToggleProps {
  severity: Severity;
  count: number;
  pressed: boolean;
  onToggle(): void;
}

function SeverityToggle({ severity, count, pressed, onToggle }: SeverityToggleProps) {
  const { severity: names } = useMessages('verdict');
  const format = useFormat();
  return (
    <UnstyledButton
      className={classes.toggle ?? ''}
      data-severity={severity}
      aria-pressed={pressed}
      onClick={onToggle}
    >
      {names[severity]} <b>{format.number(count)}</b>
    </UnstyledButton>
  );
}
