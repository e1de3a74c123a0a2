/** Takes a name and a password, and signs in. */
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { CurrentUser } from '@portcullis/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/api.ts';
import { useMessages } from '../i18n/messages.ts';
import { FaultAlert } from '../kit/fault/fault.tsx';

interface SignInFormProps {
  /** Fixed when a session is renewed. */
  username?: string;
  onSignedIn(user: CurrentUser): void;
}

export function SignInForm({ username: fixed, onSignedIn }: SignInFormProps) {
  const t = useMessages('session');
  const [username, setUsername] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => call('auth.login', { body: { username, password } }),
    onSuccess: ({ user }) => onSignedIn(user),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    login.mutate();
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FaultAlert error={login.error} />
        <TextInput
          label={t.username}
          name="username"
          autoComplete="username"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          readOnly={fixed !== undefined}
          autoFocus={fixed === undefined}
          required
          withAsterisk={false}
          size="md"
        />
        <PasswordInput
          label={t.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus={fixed !== undefined || undefined}
          required
          withAsterisk={false}
          size="md"
        />
        <Button type="submit" loading={login.isPending} size="md" mt={4}>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}
