/** Chooses a range of time by a name or by two moments. */
import { Select, TextInput } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { RANGES, type TimeRange } from './time-range.ts';

interface TimeRangeFieldProps {
  /** What the time is of: "When", "Requested". */
  label?: string;
  /** Each choice begins with it, beside another choice of a time. */
  prefix?: string;
  value: TimeRange;
  onChange(range: TimeRange): void;
}

export function TimeRangeField({ label, prefix = '', value, onChange }: TimeRangeFieldProps) {
  const t = useMessages('filters');
  const set = (change: Partial<TimeRange>) => onChange({ ...value, ...change });
  return (
    <>
      <Select
        aria-label={label ?? t.range}
        data={RANGES.map((range) => ({ value: range, label: prefix + t.ranges[range] }))}
        value={value.range}
        allowDeselect={false}
        onChange={(chosen) => set({ range: RANGES.find((each) => each === chosen) ?? 'all' })}
      />
      {value.range === 'own' && (
        <>
          <TextInput
            type="datetime-local"
            aria-label={t.since}
            value={value.since}
            onChange={(event) => set({ since: event.currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            aria-label={t.until}
            value={value.until}
            onChange={(event) => set({ until: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
