/** Creates a webhook, whose secret is shown once, or changes one. */
import { Button, Group, Stack } from '@mantine/core';
import type { MadeWebhook, Webhook } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { useAskedClose, useChanged } from '../../../kit/form/asked-close.tsx';
import { SideDrawer } from '../../../kit/layout/side-drawer.tsx';
import { SecretView } from './secret-view.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { changeOf, EMPTY_FORM, formOf, isComplete, newWebhookOf } from './webhook-form.ts';

interface WebhookDrawerProps {
  opened: boolean;
  /** Null: a new one. */
  webhook: Webhook | null;
  onClose(): void;
}

/** Once the secret is shown, only the button closes it: the secret is not shown again. */
export function WebhookDrawer({ opened, webhook, onClose }: WebhookDrawerProps) {
  const t = useMessages('webhooks');
  const { cancel } = useMessages('common');
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const navigate = useNavigate();
  const { close, isAsking, question } = useAskedClose(onClose);
  const title = webhook === null ? t.newTitle : t.editTitle(webhook.name);

  function finish({ id }: MadeWebhook): void {
    setMade(null);
    onClose();
    void navigate(`/settings/webhooks/${id}`);
  }

  return (
    <>
      <SideDrawer
        opened={opened}
        onClose={close}
        isBelow={isAsking}
        size={520}
        title={made === null ? title : t.madeTitle}
        closable={made === null}
        closeLabel={cancel}
      >
        {made === null ? (
          <WebhookEditor webhook={webhook} onMade={setMade} onSaved={onClose} onCancel={close} />
        ) : (
          <SecretView secret={made.secret} onClose={() => finish(made)} />
        )}
      </SideDrawer>
      {question}
    </>
  );
}

interface WebhookEditorProps {
  webhook: Webhook | null;
  onMade(made: MadeWebhook): void;
  onSaved(): void;
  onCancel(): void;
}

function WebhookEditor({ webhook, onMade, onSaved, onCancel }: WebhookEditorProps) {
  const { cancel, save: saveLabel } = useMessages('common');
  const t = useMessages('webhooks');
  const [form, setForm] = useState(() => (webhook === null ? EMPTY_FORM : formOf(webhook)));
  const create = useCreation(onMade);
  const forget = useChanged(form);
  const change = useChange(() => {
    forget();
    onSaved();
  });
  const { error, isPending } = webhook === null ? create : change;
  const faults = isProblem(error) ? error.fields : {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (webhook === null) create.mutate(newWebhookOf(form));
    else change.mutate({ webhook, body: changeOf(form, webhook) });
  }

  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <Stack>
        <WebhookFields
          form={form}
          set={(part) => setForm({ ...form, ...part })}
          faults={faults}
          webhook={webhook}
        />
        {Object.keys(faults).length === 0 && <FaultAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {cancel}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isComplete(form, webhook)}>
            {webhook === null ? t.create : saveLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useCreation(onMade: (made: MadeWebhook) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReturnType<typeof newWebhookOf>) => call('webhooks.createWebhook', { body }),
    onSuccess(made) {
      void queries.invalidateQueries({ queryKey: keyOf('webhooks.listWebhooks') });
      onMade(made);
    },
  });
}

function useChange(onDone: () => void) {
  const t = useMessages('webhooks');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({
      webhook: { id },
      body,
    }: {
      webhook: Webhook;
      body: ReturnType<typeof changeOf>;
    }) => call('webhooks.updateWebhook', { params: { id }, body }),
    async onSuccess({ name }) {
      await queries.invalidateQueries({ queryKey: keyOf('webhooks.getWebhook') });
      void queries.invalidateQueries({ queryKey: keyOf('webhooks.listWebhooks') });
      notices.done(t.saved(name));
      onDone();
    },
  });
}
