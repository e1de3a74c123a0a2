import { Button, Stack } from '@mantine/core';
import { FrontPage } from '../../components/front-page.tsx';
import { signOut } from '../../session/sign-out.ts';
import { PasswordForm } from './password-form.tsx';
import { usePasswordWords } from './password-words.ts';

/** In the place of everything, until the password somebody else chose is replaced. */
export function ForcedPassword() {
  const t = usePasswordWords();
  return (
    <FrontPage title={t.title} lead={t.forced}>
      <Stack gap="sm">
        <PasswordForm />
        <Button variant="subtle" color="gray" onClick={() => void signOut()}>
          {t.signOut}
        </Button>
      </Stack>
    </FrontPage>
  );
}
