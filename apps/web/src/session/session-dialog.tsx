/** Over the page, when the session ended: the calls that noticed wait, and go on afterwards. */
import { Anchor, Modal, Stack, Text } from '@mantine/core';
import type { CurrentUser } from '@portcullis/contract';
import { useSyncExternalStore } from 'react';
import { useAccount } from './account.ts';
import { isSessionOver, onSessionChange, settleSession } from './session.ts';
import { useSessionWords } from './session-words.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SessionDialog() {
  const t = useSessionWords();
  const { id, username } = useAccount();
  const over = useSyncExternalStore(onSessionChange, isSessionOver);

  function signedIn(user: CurrentUser): void {
    if (user.id === id) settleSession(true);
    else window.location.assign('/');
  }

  return (
    <Modal
      opened={over}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t.expired}
      zIndex={500}
    >
      <Stack>
        <Text c="dimmed">{t.expiredText}</Text>
        <SignInForm username={username} onSignedIn={signedIn} />
        <Anchor href="/sign-in" ta="center">
          {t.other}
        </Anchor>
      </Stack>
    </Modal>
  );
}
