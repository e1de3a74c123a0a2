import { Alert, Stack, TextInput } from '@mantine/core';
import type { User } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { EntryActions } from '../../../kit/form/entry-actions.tsx';
import { DialogContent } from '../../../kit/layout/dialog-content.tsx';
import { accountQuery, useAccount } from '../../../session/account.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PrivilegeFields } from './privilege-fields.tsx';
import { formOf, NEW_USER, newUserBody, type UserForm, userChange } from './user-form.ts';
import { UserRemoval } from './user-removal.tsx';

interface UserDialogProps {
  shown: User | 'new';
  onClose(): void;
}

export function UserDialog({ shown, onClose }: UserDialogProps) {
  const t = useMessages('users');
  const [removing, setRemoving] = useState(false);
  const user = shown === 'new' ? null : shown;
  if (user && removing)
    return <UserRemoval user={user} onClose={() => setRemoving(false)} onDone={onClose} />;
  return (
    <AskedModal opened onClose={onClose} title={user?.username ?? t.newUser}>
      {(close) => (
        <DialogContent>
          <Form user={user} onSaved={onClose} onCancel={close} onRemove={() => setRemoving(true)} />
        </DialogContent>
      )}
    </AskedModal>
  );
}

interface FormProps {
  user: User | null;
  onSaved(): void;
  onCancel(): void;
  onRemove(): void;
}

function Form({ user, onSaved, onCancel, onRemove }: FormProps) {
  const t = useMessages('users');
  const own = useAccount().id === user?.id;
  const [form, setForm] = useState(user ? formOf(user) : NEW_USER);
  const save = useSave(user, onSaved);
  useChanged(form);
  const faults = isProblem(save.error) ? save.error.fields : {};
  const set = (change: Partial<UserForm>) => setForm((before) => ({ ...before, ...change }));

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(form);
  }

  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <Stack>
        <FaultAlert error={save.error} />
        {own && (
          <Alert color="gray" variant="light">
            {t.ownAccount}
          </Alert>
        )}
        {!user && (
          <TextInput
            label={t.username}
            value={form.username}
            required
            data-autofocus
            error={faults.username}
            onChange={(event) => set({ username: event.currentTarget.value })}
          />
        )}
        <TextInput
          label={t.email}
          type="email"
          value={form.email}
          error={faults.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
        {user?.auth_source !== 'oidc' && (
          <NewPasswordField isNew={!user} form={form} set={set} fault={faults.password} />
        )}
        <PrivilegeFields
          isNew={!user}
          isLocal={user?.auth_source !== 'oidc'}
          form={form}
          set={set}
        />
        <EntryActions
          isNew={!user}
          create={t.create}
          pending={save.isPending}
          disabled={!isComplete(user, form)}
          onCancel={onCancel}
          onRemove={onRemove}
        />
      </Stack>
    </form>
  );
}

const SHORTEST = 12;

function isComplete(user: User | null, { username, password }: UserForm): boolean {
  const passwordHolds = password.length >= SHORTEST || (user !== null && password === '');
  return passwordHolds && (user !== null || username.trim() !== '');
}

function useSave(user: User | null, onDone: () => void) {
  const t = useMessages('users');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: UserForm) =>
      user
        ? call('users.update', { params: { id: user.id }, body: userChange(user, form) })
        : call('users.create', { body: newUserBody(form) }),
    onSuccess: async ({ username }) => {
      notices.done(user ? t.saved(username) : t.created(username));
      onDone();
      await queries.invalidateQueries({ queryKey: keyOf('users.list') });
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
}
