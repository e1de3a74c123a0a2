/** Changes the password of the account. */
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/api.ts';
import { isProblem } from '../../api/problem-error.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { accountQuery, useAccount } from '../../session/account.ts';

const SHORTEST = 12;

interface PasswordFormProps {
  focused?: boolean;
}

export function PasswordForm({ focused = true }: PasswordFormProps) {
  const t = useMessages('password');
  const { username } = useAccount();
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const [again, setAgain] = useState('');
  const change = useChange(clear);
  const missing = SHORTEST - wanted.length;
  const ready = current !== '' && missing <= 0 && again === wanted;

  function clear(): void {
    for (const set of [setCurrent, setWanted, setAgain]) set('');
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (ready) change.mutate({ current_password: current, new_password: wanted });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FaultAlert error={change.error} />
        {/* Password managers need the username. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={username}
          readOnly
          hidden
        />
        <PasswordInput
          label={t.current}
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={isProblem(change.error) && change.error.fields.current_password}
          autoFocus={focused}
        />
        <PasswordInput
          label={t.wanted}
          description={wanted !== '' && missing > 0 ? t.short(missing) : t.hint}
          autoComplete="new-password"
          maxLength={128}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          error={isProblem(change.error) && change.error.fields.new_password}
        />
        <PasswordInput
          label={t.again}
          autoComplete="new-password"
          maxLength={128}
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={again !== '' && !wanted.startsWith(again) && t.differ}
        />
        <Button type="submit" loading={change.isPending} disabled={!ready} mt={4}>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}

function useChange(onDone: () => void) {
  const t = useMessages('password');
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      call('auth.changePassword', { body }),
    onSuccess: async () => {
      notices.done(t.done);
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey });
      onDone();
    },
  });
}
