/** Asks for a new sign-in when the session has ended; failed calls are then repeated. */

import { Anchor, Button, Modal, Stack, Text } from '@mantine/core';
import type { CurrentUser } from '@portcullis/contract';
import { useMutation } from '@tanstack/react-query';
import { useMessages } from '../i18n/messages.ts';
import { FaultAlert } from '../kit/fault/fault.tsx';
import { readAccount, useAccount } from './account.ts';
import { ProviderButton } from './provider-button.tsx';
import { settleSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

export default function SessionDialog() {
  const t = useMessages('session');
  const { id, username, auth_source } = useAccount();

  function signedIn(user: CurrentUser): void {
    if (user.id === id) settleSession(true);
    else window.location.assign('/');
  }

  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t.expired}
      zIndex={500}
    >
      <Stack>
        <Text c="dimmed">{t.expiredText}</Text>
        {auth_source === 'local' ? (
          <SignInForm username={username} onSignedIn={signedIn} />
        ) : (
          <Elsewhere onSignedIn={signedIn} />
        )}
        <Anchor href="/login" ta="center">
          {t.other}
        </Anchor>
      </Stack>
    </Modal>
  );
}

/** The provider opens in another tab, so that typed input is kept. */
function Elsewhere({ onSignedIn }: { onSignedIn(user: CurrentUser): void }) {
  const t = useMessages('session');
  const look = useMutation({ mutationFn: readAccount, onSuccess: onSignedIn });
  return (
    <>
      <ProviderButton next="/" apart />
      <FaultAlert error={look.error} />
      <Button variant="default" loading={look.isPending} onClick={() => look.mutate()}>
        {t.goOn}
      </Button>
    </>
  );
}
