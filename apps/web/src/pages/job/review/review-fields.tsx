import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { VEX_JUSTIFICATIONS, WAIVER_STATUSES } from '@portcullis/domain';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choice-field.tsx';
import { dayOf, lastDay, REVIEW_SCOPES, type ReviewForm } from './review-form.ts';

interface ReviewFieldsProps {
  form: ReviewForm;
  set(change: Partial<ReviewForm>): void;
  folder: string | null;
  folders: { value: string; label: string }[];
  faults: Readonly<Record<string, string>>;
}

export function ReviewFields({ form, set, folder, folders, faults }: ReviewFieldsProps) {
  const t = useMessages('review');
  const words = useMessages('waivers');
  const [now] = useState(Date.now);
  return (
    <>
      <ChoiceField
        label={t.scope}
        values={REVIEW_SCOPES}
        names={t.scopes}
        value={form.scope}
        onChange={(scope) => set({ scope })}
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NativeSelect
          label={t.folder}
          data={folders}
          value={folder ?? ''}
          onChange={(event) => set({ folder: event.currentTarget.value })}
          error={faults.folder}
          required
        />
        {form.scope === 'repository' && (
          <TextInput
            label={t.repository}
            description={t.repositoryHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={form.repository}
            onChange={(event) => set({ repository: event.currentTarget.value })}
            error={faults.repository}
            spellCheck={false}
            required
          />
        )}
      </Group>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NativeSelect
          label={words.status}
          data={WAIVER_STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
          value={form.status}
          onChange={({ currentTarget: { value } }) =>
            set({ status: WAIVER_STATUSES.find((each) => each === value) ?? form.status })
          }
        />
        <TextInput
          type="date"
          label={t.until}
          value={form.until}
          min={dayOf(now)}
          max={lastDay(now)}
          onChange={(event) => set({ until: event.currentTarget.value })}
          error={faults.expires_at}
          required
        />
      </Group>
      {form.status === 'not_affected' && (
        <NativeSelect
          label={words.justification}
          data={VEX_JUSTIFICATIONS.map((value) => ({ value, label: words.justifications[value] }))}
          value={form.justification}
          onChange={({ currentTarget: { value } }) =>
            set({
              justification:
                VEX_JUSTIFICATIONS.find((each) => each === value) ?? form.justification,
            })
          }
        />
      )}
      <Textarea
        label={words.reason}
        value={form.reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
        error={faults.reason}
        maxLength={2000}
        rows={2}
        resize="vertical"
        required
        data-autofocus
      />
      <TextInput
        label={words.ticket}
        value={form.ticket}
        onChange={(event) => set({ ticket: event.currentTarget.value })}
        error={faults.ticket}
        maxLength={255}
      />
    </>
  );
}
