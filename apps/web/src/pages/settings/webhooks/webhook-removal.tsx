import type { Webhook } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ask, call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';

interface WebhookRemovalProps {
  webhook: Pick<Webhook, 'id' | 'name'>;
  onClose(): void;
}

export function WebhookRemoval({ webhook: { id, name }, onClose }: WebhookRemovalProps) {
  const t = useMessages('webhooks');
  const notices = useNotices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('webhooks.removeWebhook', { params: { id } }),
    async onSuccess() {
      notices.done(t.removed(name));
      await navigate('/settings/webhooks');
      await queries.invalidateQueries(ask('webhooks.listWebhooks'));
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.removeTitle(name)}
      action={t.removeAction}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t.removeText}
    </ConfirmDialog>
  );
}
