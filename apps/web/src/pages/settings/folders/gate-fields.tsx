/** The policy of a folder, what its gates do, which tags stay as they are, and its quota. */
import { Group, NativeSelect, NumberInput, TagsInput } from '@mantine/core';
import type { Folder } from '@portcullis/contract';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceRadios } from '../../../kit/form/choice-radios.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { PolicySelect } from '../policies/policy-select.tsx';
import { QUOTA_UNITS, quotaBytes, type WrittenQuota, writtenQuota } from './quota/quota-units.ts';

export type FolderForm = Pick<
  Folder,
  | 'name'
  | 'description'
  | 'policy_id'
  | 'push_gate'
  | 'pull_gate'
  | 'immutable_tags'
  | 'quota_bytes'
>;

export function GateFields({ value, pick, tags }: Fields<FolderForm>) {
  const t = useMessages('folders');
  return (
    <>
      <PolicySelect label={t.policy} description={t.policyHint} {...pick('policy_id')} />
      <ChoiceRadios label={t.pushGate} choices={t.pushGates} {...pick('push_gate')} />
      <ChoiceRadios label={t.pullGate} choices={t.pullGates} {...pick('pull_gate')} />
      <TagsInput
        label={t.immutableTags}
        description={t.immutableTagsHint}
        placeholder={value.immutable_tags.length === 0 ? 'v*' : ''}
        {...tags('immutable_tags')}
        isDuplicate={(pattern, others) => others.includes(pattern)}
        splitChars={[' ']}
      />
      <QuotaField {...pick('quota_bytes')} />
    </>
  );
}

interface QuotaFieldProps {
  value: number | null;
  error: string | undefined;
  onChange(bytes: number | null): void;
}

/** The quota of a folder, as a number and a unit. */
function QuotaField({ value: bytes, error, onChange }: QuotaFieldProps) {
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
