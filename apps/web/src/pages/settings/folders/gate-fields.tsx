/** The policy of a folder, what its gates do, which tags stay as they are, and its quota. */
import { TagsInput } from '@mantine/core';
import type { Folder } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceRadios } from '../../../kit/form/choice-radios.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { PolicySelect } from '../policies/policy-select.tsx';
import { QuotaField } from './quota/quota-field.tsx';

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
