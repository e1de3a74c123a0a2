import { Button, Stack } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { StandalonePage } from '../../kit/layout/standalone-page.tsx';
import { useAccount } from '../../session/account.ts';
import { signOut } from '../../session/sign-out.ts';
import { PasswordForm } from './password-form.tsx';

/** Replaces the page until an initial password is changed. */
export function ForcedPassword() {
  const t = useMessages('password');
  const account = useAccount();
  return (
    <StandalonePage title={t.title} lead={t.forced}>
      <Stack gap="sm">
        <PasswordForm />
        <Button variant="subtle" color="gray" onClick={() => void signOut(account)}>
          {t.signOut}
        </Button>
      </Stack>
    </StandalonePage>
  );
}
