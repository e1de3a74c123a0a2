/** The buttons and the menu of a webhook. */
import { Button, Menu } from '@mantine/core';
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
import { useMessages } from '../../../i18n/messages.ts';
import { ActButton } from '../../../kit/action/act-button.tsx';
import { ActionsMenu } from '../../../kit/action/actions-menu.tsx';
import { SecretRotation } from './secret-rotation.tsx';
import { useEnabling, useTest } from './use-webhook-actions.ts';
import { WebhookDrawer } from './webhook-drawer.tsx';
import { WebhookRemoval } from './webhook-removal.tsx';

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
