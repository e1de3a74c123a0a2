/** Asks for a destination and shows beforehand whether the push would be allowed. */

import { Group, Stack, Textarea, TextInput } from '@mantine/core';
import type { Job, PushPreview } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, call, useAnswer } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormActions } from '../../../kit/dialog/form-actions.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { ChoiceField } from '../../../kit/form/choices.tsx';
import { faultsOf, fieldsOf } from '../../../kit/form/fields.ts';
import { offeredFolder } from '../../images/implied-folder.ts';
import { type PushForm, proposal, pushBody, TARGETS } from './push-form.ts';
import { PushPreviewView } from './push-preview.tsx';
import { PushTarget } from './push-target.tsx';
import { usePushPreview } from './use-push-preview.ts';

interface PushDialogProps {
  job: Job;
  opened: boolean;
  onClose(): void;
}

export function PushDialog({ job, opened, onClose }: PushDialogProps) {
  const t = useMessages('push');
  return (
    <AskedModal opened={opened} onClose={onClose} title={t.title} size="lg">
      {(close) => <PushFields job={job} onPushed={onClose} onCancel={close} />}
    </AskedModal>
  );
}

interface PushFieldsProps {
  job: Job;
  onPushed(): void;
  onCancel(): void;
}

function PushFields({ job, onPushed, onCancel }: PushFieldsProps) {
  const t = useMessages('push');
  const [typed, setForm] = useState(() => proposal(job));
  const { data: pushable } = useAnswer('folders.listPushable');
  const form = { ...typed, folder: pushable ? offeredFolder(typed.folder, pushable) : null };
  const preview = usePushPreview(job, form);
  const forget = useChanged(typed);
  const push = usePush(job, () => {
    forget();
    onPushed();
  });
  const fault = [push.error, preview.error].find((error) => isProblem(error));
  const set = (change: Partial<PushForm>) => setForm({ ...typed, ...change });
  const fields = fieldsOf({ value: form, set, faults: faultsOf(fault) }, 'staging.push');
  const lacksReason = isBypass(preview.data) && form.bypassReason.trim() === '';
  const isAllowed = preview.data?.allowed === true && preview.isCurrent;

  function submit(event: FormEvent): void {
    event.preventDefault();
    push.mutate(form);
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ChoiceField label={t.to} values={TARGETS} names={t.targets} {...fields.pick('target')} />
        <PushTarget {...fields} pushable={pushable} />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label={t.image}
            {...fields.text('image', 'target_image')}
            spellCheck={false}
            required
            data-autofocus
          />
          <TextInput
            label={t.tag}
            {...fields.text('tag', 'target_tag')}
            spellCheck={false}
            required
          />
        </Group>
        <PushPreviewView job={job} form={form} preview={preview} />
        {isBypass(preview.data) && (
          <Textarea
            label={t.bypassReason}
            description={t.bypass}
            {...fields.text('bypassReason')}
            autosize
            minRows={2}
            required
          />
        )}
        <FaultAlert error={push.error} />
        <FormActions
          action={t.submit}
          pending={push.isPending}
          disabled={!isAllowed || lacksReason}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

/** Whether only the privilege of the account allows the push. */
function isBypass(preview: PushPreview | undefined): boolean {
  return preview?.allowed === true && preview.bypassed !== null;
}

function usePush({ job_id }: Job, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: PushForm) => call('staging.push', { body: pushBody(job_id, form) }),
    onSuccess: () => {
      void queries.invalidateQueries({
        queryKey: ask('staging.getJob', { params: { job_id } }).queryKey,
      });
      onDone();
    },
  });
}
