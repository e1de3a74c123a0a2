import { Select, TextInput } from '@mantine/core';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { RANGES, type TimeRange } from './time-range.ts';

interface TimeRangeFieldProps {
  /** What the time is of: "When", "Requested". */
  label?: string;
  /** Whether each choice begins with the label, beside another choice of a time. */
  named?: boolean;
  value: TimeRange;
  onChange(change: Partial<TimeRange>): void;
}

export function TimeRangeField({ label, named = false, value, onChange }: TimeRangeFieldProps) {
  const t = useMessages('filters');
  const format = useFormat();
  const name = named && label !== undefined ? `${label}${format.colon}` : '';
  return (
    <>
      <Select
        aria-label={label ?? t.range}
        data={RANGES.map((range) => ({ value: range, label: `${name}${t.ranges[range]}` }))}
        value={value.range}
        allowDeselect={false}
        onChange={(chosen) => onChange({ range: RANGES.find((each) => each === chosen) ?? 'all' })}
      />
      {value.range === 'own' && (
        <>
          <TextInput
            type="datetime-local"
            aria-label={t.since}
            value={value.since}
            onChange={(event) => onChange({ since: event.currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            aria-label={t.until}
            value={value.until}
            onChange={(event) => onChange({ until: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
