/** Creates a webhook, whose secret is shown once, or changes one. */
import type { Webhook } from '@portcullis/contract';
import { useNavigate } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { SecretView } from './secret-view.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { changeOf, EMPTY_FORM, formOf, isComplete, newWebhookOf } from './webhook-form.ts';

const WIDTH = 520;

interface WebhookDrawerProps {
  opened: boolean;
  onClose(): void;
}

export function NewWebhookDrawer(props: WebhookDrawerProps) {
  const t = useMessages('webhooks');
  const navigate = useNavigate();
  return (
    <FormDialog
      {...props}
      drawer={WIDTH}
      title={t.newTitle}
      operation="webhooks.createWebhook"
      first={EMPTY_FORM}
      isReady={(form) => isComplete(form, null)}
      send={(form) => call('webhooks.createWebhook', { body: newWebhookOf(form) })}
      lists={[keyOf('webhooks.listWebhooks')]}
      action={t.create}
      result={{
        title: t.madeTitle,
        view: ({ secret }) => <SecretView secret={secret} />,
      }}
      onDone={({ id }) => {
        props.onClose();
        void navigate(`/settings/webhooks/${id}`);
      }}
    >
      {(fields) => <WebhookFields {...fields} webhook={null} />}
    </FormDialog>
  );
}

export function WebhookDrawer({ webhook, ...props }: WebhookDrawerProps & { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const params = { id: webhook.id };
  return (
    <FormDialog
      {...props}
      drawer={WIDTH}
      title={t.editTitle(webhook.name)}
      operation="webhooks.createWebhook"
      first={formOf(webhook)}
      isReady={(form) => isComplete(form, webhook)}
      send={(form) => call('webhooks.updateWebhook', { params, body: changeOf(form, webhook) })}
      done={({ name }) => t.saved(name)}
      lists={[keyOf('webhooks.getWebhook'), keyOf('webhooks.listWebhooks')]}
    >
      {(fields) => <WebhookFields {...fields} webhook={webhook} />}
    </FormDialog>
  );
}
