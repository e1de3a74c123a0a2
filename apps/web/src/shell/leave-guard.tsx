/** Asks before a link or a shortcut leaves a page with unsaved changes. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from 'react-router';
import { useMessages } from '../i18n/messages.ts';
import { hasUnsaved } from '../kit/form/unsaved.ts';

export function LeaveGuard() {
  const t = useMessages('shell');
  // Filters in the address do not leave the page.
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) => hasUnsaved() && from.pathname !== to.pathname,
  );
  if (blocker.state !== 'blocked') return null;
  return (
    <Modal opened onClose={blocker.reset} title={t.leaveTitle}>
      <Text>{t.leaveText}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={blocker.reset} data-autofocus>
          {t.stay}
        </Button>
        <Button color="red" onClick={blocker.proceed}>
          {t.leave}
        </Button>
      </Group>
    </Modal>
  );
}
