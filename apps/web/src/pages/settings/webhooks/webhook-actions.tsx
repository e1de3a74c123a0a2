/** The buttons and the menu of a webhook. */
import { Button, Menu, Text } from '@mantine/core';
import type { Webhook } from '@portcullis/contract';
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ActButton } from '../../../kit/action/act-button.tsx';
import { ActionsMenu } from '../../../kit/action/actions-menu.tsx';
import { RemovalDialog } from '../../../kit/action/confirmed-act.tsx';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { SecretView } from './secret-view.tsx';
import { useEnabling, useTest } from './use-webhook-actions.ts';
import { WebhookDrawer } from './webhook-drawer.tsx';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const [open, setOpen] = useState<'edit' | 'secret' | 'removal' | null>(null);
  const test = useTest(webhook);
  const enabling = useEnabling(webhook);
  const close = () => setOpen(null);
  return (
    <>
      <ActButton variant="filled" icon={IconSend} act={test} disabled={!webhook.enabled}>
        {t.test}
      </ActButton>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} />}
        onClick={() => setOpen('edit')}
      >
        {t.edit}
      </Button>
      <ActionsMenu label={t.actionsFor(webhook.name)} page width={230}>
        <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setOpen('secret')}>
          {t.rotate}
        </Menu.Item>
        <Menu.Item
          leftSection={
            webhook.enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />
          }
          onClick={() => enabling.mutate(!webhook.enabled)}
        >
          {webhook.enabled ? t.disable : t.enable}
        </Menu.Item>
        <Menu.Divider role="separator" />
        <Menu.Item
          c="var(--critical)"
          leftSection={<IconTrash size={16} />}
          onClick={() => setOpen('removal')}
        >
          {t.remove}
        </Menu.Item>
      </ActionsMenu>
      <WebhookDrawer opened={open === 'edit'} webhook={webhook} onClose={close} />
      {open === 'secret' && <SecretRotation webhook={webhook} onClose={close} />}
      {open === 'removal' && <WebhookRemoval webhook={webhook} onClose={close} />}
    </>
  );
}

interface WebhookRemovalProps {
  webhook: Pick<Webhook, 'id' | 'name'>;
  onClose(): void;
}

/** Deletes a webhook after a confirmation. */
function WebhookRemoval({ webhook: { id, name }, onClose }: WebhookRemovalProps) {
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

interface SecretRotationProps {
  webhook: Pick<Webhook, 'id' | 'name'>;
  onClose(): void;
}

/** Replaces the secret of a webhook, and shows the new one once. */
function SecretRotation({ webhook: { id, name }, onClose }: SecretRotationProps) {
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
        view: ({ secret }) => <SecretView secret={secret} />,
      }}
      onClose={onClose}
    >
      {() => <Text>{t.rotateText}</Text>}
    </FormDialog>
  );
}
