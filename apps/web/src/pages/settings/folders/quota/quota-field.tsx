/** The quota of a folder, as a number and a unit. */
import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useMessages } from '../../../../i18n/messages.ts';
import { QUOTA_UNITS, quotaBytes, type WrittenQuota, writtenQuota } from './quota-units.ts';

interface QuotaFieldProps {
  value: number | null;
  error: string | undefined;
  onChange(bytes: number | null): void;
}

export function QuotaField({ value: bytes, error, onChange }: QuotaFieldProps) {
  const t = useMessages('folders');
  const [written, setWritten] = useState(() => writtenQuota(bytes));
  const write = (next: WrittenQuota) => {
    setWritten(next);
    onChange(quotaBytes(next));
  };
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <NumberInput
        flex={1}
        label={t.quota}
        description={t.quotaHint}
        placeholder={t.noQuota}
        min={0}
        allowNegative={false}
        value={written.amount}
        onChange={(amount) => write({ ...written, amount })}
        error={error}
      />
      <NativeSelect
        label={t.quotaUnit}
        data={QUOTA_UNITS.map((value) => ({ value, label: t.quotaUnits[value] }))}
        value={written.unit}
        onChange={({ currentTarget }) => {
          const unit = QUOTA_UNITS.find((each) => each === currentTarget.value);
          if (unit) write({ ...written, unit });
        }}
      />
    </Group>
  );
}
