/** Replaces the secret of a webhook, and shows the new one once. */
import { Text } from '@mantine/core';
import type { Webhook } from '@portcullis/contract';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { SecretView } from './secret-view.tsx';

interface SecretRotationProps {
  webhook: Pick<Webhook, 'id' | 'name'>;
  onClose(): void;
}

export function SecretRotation({ webhook: { id, name }, onClose }: SecretRotationProps) {
  const t = useMessages('webhooks');
  return (
    <FormDialog
      title={t.rotateTitle(name)}
      operation="webhooks.rotateSecret"
      first={{}}
      send={() => call('webhooks.rotateSecret', { params: { id } })}
      lists={[keyOf('webhooks.getWebhook')]}
      action={t.rotateAction}
      result={{
        title: t.madeTitle,
        view: ({ secret }, close) => <SecretView secret={secret} onClose={close} />,
      }}
      onClose={onClose}
    >
      {() => <Text>{t.rotateText}</Text>}
    </FormDialog>
  );
}
