/** Changes the password of the account. */
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { faultsOf, fieldsOf } from '../../kit/form/fields.ts';
import { accountQuery, useAccount } from '../../session/account.ts';

const SHORTEST = 12;
const EMPTY = { current_password: '', new_password: '', again: '' };

interface PasswordFormProps {
  focused?: boolean;
}

export function PasswordForm({ focused = true }: PasswordFormProps) {
  const t = useMessages('password');
  const { username } = useAccount();
  const [form, setForm] = useState(EMPTY);
  const change = useChange(() => setForm(EMPTY));
  const { text } = fieldsOf(
    {
      value: form,
      set: (part) => setForm((before) => ({ ...before, ...part })),
      faults: faultsOf(change.error),
    },
    'auth.changePassword',
  );
  const { current_password: current, new_password: wanted, again } = form;
  const missing = SHORTEST - wanted.length;
  const ready = current !== '' && missing <= 0 && again === wanted;

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
          {...text('current_password')}
          autoFocus={focused}
        />
        <PasswordInput
          label={t.wanted}
          description={wanted !== '' && missing > 0 ? t.short(missing) : t.hint}
          autoComplete="new-password"
          {...text('new_password')}
        />
        <PasswordInput
          label={t.again}
          autoComplete="new-password"
          {...text('again', 'new_password')}
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
