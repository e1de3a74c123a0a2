/** The policy of a folder, what its gates do, which tags stay as they are, and its quota. */
import { Radio, Select, Stack, TagsInput } from '@mantine/core';
import type { Folder } from '@portcullis/contract';
import { PULL_GATE_MODES, PUSH_GATE_MODES } from '@portcullis/domain';
import { useMessages } from '../../../i18n/messages.ts';
import { usePolicyChoices } from '../policies/policy-choices.ts';
import { QuotaField } from './quota/quota-field.tsx';

export type FolderGates = Pick<
  Folder,
  'policy_id' | 'push_gate' | 'pull_gate' | 'immutable_tags' | 'quota_bytes'
>;

interface GateFieldsProps {
  gates: FolderGates;
  /** What is wrong with one of the patterns. */
  patternFault: string | undefined;
  quotaFault: string | undefined;
  set(change: Partial<FolderGates>): void;
}

export function GateFields({ gates, patternFault, quotaFault, set }: GateFieldsProps) {
  const t = useMessages('folders');
  const { choices, chosenOf, idOf } = usePolicyChoices();
  return (
    <>
      <Select
        label={t.policy}
        description={t.policyHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={choices}
        value={chosenOf(gates.policy_id)}
        onChange={(chosen) => set({ policy_id: idOf(chosen) })}
        allowDeselect={false}
      />
      <Modes
        label={t.pushGate}
        modes={PUSH_GATE_MODES}
        words={t.pushGates}
        value={gates.push_gate}
        onChange={(mode) => set({ push_gate: mode })}
      />
      <Modes
        label={t.pullGate}
        modes={PULL_GATE_MODES}
        words={t.pullGates}
        value={gates.pull_gate}
        onChange={(mode) => set({ pull_gate: mode })}
      />
      <TagsInput
        label={t.immutableTags}
        description={t.immutableTagsHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={gates.immutable_tags.length === 0 ? 'v*' : ''}
        value={gates.immutable_tags}
        onChange={(patterns) => set({ immutable_tags: patterns })}
        maxTags={20}
        isDuplicate={(pattern, others) => others.includes(pattern)}
        splitChars={[' ']}
        acceptValueOnBlur
        error={patternFault}
      />
      <QuotaField
        bytes={gates.quota_bytes}
        fault={quotaFault}
        onChange={(bytes) => set({ quota_bytes: bytes })}
      />
    </>
  );
}

interface ModesProps<T extends string> {
  label: string;
  modes: readonly T[];
  words: Readonly<Record<T, { name: string; effect: string }>>;
  value: T;
  onChange(mode: T): void;
}

function Modes<T extends string>({ label, modes, words, value, onChange }: ModesProps<T>) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => onChange(modes.find((mode) => mode === chosen) ?? value)}
    >
      <Stack gap={6} mt={6}>
        {modes.map((mode) => (
          <Radio
            key={mode}
            value={mode}
            label={words[mode].name}
            description={words[mode].effect}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
