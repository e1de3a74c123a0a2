/** Replaces the secret of a webhook, and shows the new one once. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Webhook } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { SecretView } from './secret-view.tsx';

interface SecretRotationProps {
  webhook: Pick<Webhook, 'id' | 'name'>;
  onClose(): void;
}

export function SecretRotation({ webhook: { id, name }, onClose }: SecretRotationProps) {
  const t = useMessages('webhooks');
  const { cancel } = useMessages('common');
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => call('webhooks.rotateSecret', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('webhooks.getWebhook') }),
  });
  const made = rotate.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={made ? t.madeTitle : t.rotateTitle(name)}
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      withCloseButton={!made}
    >
      {made ? (
        <SecretView secret={made.secret} onClose={onClose} />
      ) : (
        <Stack>
          <Text>{t.rotateText}</Text>
          <FaultAlert error={rotate.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              {cancel}
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
              {t.rotateAction}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
