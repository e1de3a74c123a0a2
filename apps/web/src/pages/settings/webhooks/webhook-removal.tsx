/** Deletes a webhook after a confirmation. */
import type { Webhook } from '@portcullis/contract';
import { useNavigate } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/removal-dialog.tsx';

interface WebhookRemovalProps {
  webhook: Pick<Webhook, 'id' | 'name'>;
  onClose(): void;
}

export function WebhookRemoval({ webhook: { id, name }, onClose }: WebhookRemovalProps) {
  const t = useMessages('webhooks');
  const navigate = useNavigate();
  return (
    <RemovalDialog
      name={name}
      words={t}
      run={() => call('webhooks.removeWebhook', { params: { id } })}
      lists={[keyOf('webhooks.listWebhooks')]}
      onDone={() => navigate('/settings/webhooks')}
      onClose={onClose}
    >
      {t.removeText}
    </RemovalDialog>
  );
}
