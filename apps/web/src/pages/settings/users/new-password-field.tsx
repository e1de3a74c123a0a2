import { Button, Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { generatedPassword, type UserForm } from './user-form.ts';

interface NewPasswordFieldProps extends Fields<UserForm> {
  isNew: boolean;
}

/** A typed or generated password; a generated one is shown to be passed on. */
export function NewPasswordField({ isNew, value, set, text }: NewPasswordFieldProps) {
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
