/** The dialog in which administrators create, change and delete an account. */
import { Alert, Button, Group, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { User } from '@portcullis/contract';
import { useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { accountQuery, useAccount } from '../../../session/account.ts';
import {
  formOf,
  generatedPassword,
  isComplete,
  NEW_USER,
  newUserBody,
  type UserForm,
  userChange,
} from './user-form.ts';

interface UserDialogProps {
  shown: User | 'new';
  onClose(): void;
}

export function UserDialog({ shown, onClose }: UserDialogProps) {
  const t = useMessages('users');
  const own = useAccount().id;
  const user = shown === 'new' ? null : shown;
  const params = { id: user?.id ?? '' };
  return (
    <EntryDialog
      entry={user && { name: user.username }}
      title={t.newUser}
      words={t}
      operation="users.create"
      first={user ? formOf(user) : NEW_USER}
      isReady={(form) => isComplete(user, form)}
      send={async (form) => {
        const { username } = user
          ? await call('users.update', { params, body: userChange(user, form) })
          : await call('users.create', { body: newUserBody(form) });
        return { name: username };
      }}
      lists={[keyOf('users.list'), accountQuery.queryKey]}
      onClose={onClose}
      removal={{ remove: () => call('users.remove', { params }), text: <RemovalText /> }}
    >
      {(fields) => (
        <>
          {own === user?.id && (
            <Alert color="gray" variant="light">
              {t.ownAccount}
            </Alert>
          )}
          {!user && (
            <TextInput label={t.username} {...fields.text('username')} required data-autofocus />
          )}
          <TextInput label={t.email} type="email" {...fields.text('email')} />
          {user?.auth_source !== 'oidc' && <NewPasswordField isNew={!user} {...fields} />}
          <PrivilegeFields user={user} {...fields} />
        </>
      )}
    </EntryDialog>
  );
}

function PrivilegeFields({ user, check }: Fields<UserForm> & { user: User | null }) {
  const t = useMessages('users');
  return (
    <Stack gap="sm">
      <Switch label={t.admin} description={t.adminHint} {...check('is_admin')} />
      <Switch label={t.bypass} description={t.bypassHint} {...check('can_bypass_vuln_block')} />
      {user?.auth_source !== 'oidc' && (
        <Switch
          label={t.mustChange}
          description={t.mustChangeHint}
          {...check('must_change_password')}
        />
      )}
      {user && <Switch label={t.disabled} description={t.disabledHint} {...check('disabled')} />}
    </Stack>
  );
}

function RemovalText() {
  const t = useMessages('users');
  return (
    <Stack gap="xs">
      <Text>{t.removeText}</Text>
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>
        {t.removeList.split('\n').map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Text c="dimmed">{t.removeStays}</Text>
    </Stack>
  );
}

interface NewPasswordFieldProps extends Fields<UserForm> {
  isNew: boolean;
}

/** A typed or generated password; a generated one is shown to be passed on. */
function NewPasswordField({ isNew, value, set, text }: NewPasswordFieldProps) {
  const t = useMessages('users');
  const [made, setMade] = useState(false);
  const [visible, setVisible] = useState(false);
  const hint = isNew ? t.passwordHint : t.keepPassword;
  const field = text('password');

  function fillGenerated(): void {
    setMade(true);
    setVisible(true);
    set({ password: generatedPassword(), must_change_password: true });
  }

  return (
    <div>
      <PasswordInput
        label={isNew ? t.password : t.newPassword}
        description={made ? t.generated : hint}
        autoComplete="new-password"
        {...field}
        visible={visible}
        onVisibilityChange={setVisible}
        onChange={(event) => {
          setMade(false);
          field.onChange(event);
        }}
      />
      <Group gap={6} mt={6}>
        <Button variant="default" size="xs" onClick={fillGenerated}>
          {t.generate}
        </Button>
        {made && <CopyButton text={value.password} label={t.copyPassword} />}
      </Group>
    </div>
  );
}
