/** Asks for a destination and shows beforehand whether the push would be allowed. */

import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import type { Job, PushPreview } from '@portcullis/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { ChoiceField } from '../../../kit/form/choice-field.tsx';
import { impliedFolder } from '../../images/implied-folder.ts';
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
  const { data: pushable } = useQuery(ask('folders.listPushable'));
  const form = { ...typed, folder: typed.folder ?? (pushable ? impliedFolder(pushable) : null) };
  const preview = usePushPreview(job, form);
  const forget = useChanged(typed);
  const push = usePush(job, () => {
    forget();
    onPushed();
  });
  const set = (change: Partial<PushForm>) => setForm({ ...typed, ...change });
  const faults = [push.error, preview.error].find((error) => isProblem(error))?.fields ?? {};
  const lacksReason = isBypass(preview.data) && form.bypassReason.trim() === '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    push.mutate(form);
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ChoiceField
          label={t.to}
          values={TARGETS}
          names={t.targets}
          value={form.target}
          onChange={(target) => set({ target })}
        />
        <PushTarget form={form} set={set} pushable={pushable} faults={faults} />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label={t.image}
            value={form.image}
            onChange={(event) => set({ image: event.currentTarget.value })}
            error={faults.target_image}
            spellCheck={false}
            required
            data-autofocus
          />
          <TextInput
            label={t.tag}
            value={form.tag}
            onChange={(event) => set({ tag: event.currentTarget.value })}
            error={faults.target_tag}
            spellCheck={false}
            required
          />
        </Group>
        <PushPreviewView job={job} form={form} preview={preview} />
        {isBypass(preview.data) && (
          <Textarea
            label={t.bypassReason}
            description={t.bypass}
            value={form.bypassReason}
            onChange={(event) => set({ bypassReason: event.currentTarget.value })}
            error={faults.bypass_reason}
            autosize
            minRows={2}
            maxLength={1000}
            required
          />
        )}
        <FaultAlert error={push.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button
            type="submit"
            loading={push.isPending}
            disabled={preview.data?.allowed !== true || preview.isPlaceholderData || lacksReason}
          >
            {t.submit}
          </Button>
        </Group>
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
