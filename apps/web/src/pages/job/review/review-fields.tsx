/** The scope, the status and the end of requested waivers, and why they are requested. */
import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { VEX_JUSTIFICATIONS, WAIVER_STATUSES } from '@portcullis/domain';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { dayOf, lastDay, REVIEW_SCOPES, type ReviewForm, type ReviewScope } from './review-form.ts';

interface ReviewFieldsProps extends Fields<ReviewForm> {
  folder: string | null;
  folders: { value: string; label: string }[];
  /** All by default. */
  scopes?: readonly ReviewScope[];
}

export function ReviewFields({ value, text, pick, faultAt, ...props }: ReviewFieldsProps) {
  const t = useMessages('review');
  const words = useMessages('waivers');
  const [now] = useState(Date.now);
  const { set, folder, folders, scopes = REVIEW_SCOPES } = props;
  return (
    <>
      <ChoiceField label={t.scope} values={scopes} names={t.scopes} {...pick('scope')} />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NativeSelect
          label={t.folder}
          data={folders}
          value={folder ?? ''}
          onChange={(event) => set({ folder: event.currentTarget.value })}
          error={faultAt('folder')}
          required
        />
        {value.scope === 'repository' && (
          <TextInput
            label={t.repository}
            description={t.repositoryHint}
            {...text('repository')}
            spellCheck={false}
            required
          />
        )}
      </Group>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NativeSelect
          label={words.status}
          data={WAIVER_STATUSES.map((each) => ({ value: each, label: words.statuses[each] }))}
          value={value.status}
          onChange={({ currentTarget: { value: chosen } }) =>
            set({ status: WAIVER_STATUSES.find((each) => each === chosen) ?? value.status })
          }
        />
        <TextInput
          type="date"
          label={t.until}
          {...text('until', 'expires_at')}
          min={dayOf(now)}
          max={lastDay(now)}
          required
        />
      </Group>
      {value.status === 'not_affected' && (
        <NativeSelect
          label={words.justification}
          data={VEX_JUSTIFICATIONS.map((each) => ({
            value: each,
            label: words.justifications[each],
          }))}
          value={value.justification}
          onChange={({ currentTarget: { value: chosen } }) =>
            set({
              justification:
                VEX_JUSTIFICATIONS.find((each) => each === chosen) ?? value.justification,
            })
          }
        />
      )}
      <Textarea
        label={words.reason}
        {...text('reason')}
        rows={2}
        resize="vertical"
        required
        data-autofocus
      />
      <TextInput label={words.ticket} {...text('ticket')} />
    </>
  );
}
