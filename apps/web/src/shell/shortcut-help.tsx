import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useMessages } from '../i18n/messages.ts';
import { activeShortcuts, shownKeys } from './shortcuts.ts';

export default function ShortcutHelp({ onClose }: { onClose(): void }) {
  const t = useMessages('shell');
  return (
    <Modal opened onClose={onClose} title={t.shortcuts}>
      <Stack gap={10}>
        {activeShortcuts().map(({ keys, label }) => (
          <Group key={keys} justify="space-between" wrap="nowrap">
            <Text>{label}</Text>
            <Group gap={6} wrap="nowrap">
              {shownKeys(keys).map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && (
                    <Text size="xs" c="dimmed">
                      {t.after}
                    </Text>
                  )}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
