import { Button, Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import { generatedPassword, type UserForm } from './user-form.ts';

interface NewPasswordFieldProps {
  isNew: boolean;
  form: UserForm;
  set(change: Partial<UserForm>): void;
  fault: string | undefined;
}

/** A typed or generated password; a generated one is shown to be passed on. */
export function NewPasswordField({ isNew, form, set, fault }: NewPasswordFieldProps) {
  const t = useMessages('users');
  const [made, setMade] = useState(false);
  const [visible, setVisible] = useState(false);
  const hint = isNew ? t.passwordHint : t.keepPassword;

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
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="new-password"
        maxLength={128}
        value={form.password}
        visible={visible}
        onVisibilityChange={setVisible}
        onChange={(event) => {
          setMade(false);
          set({ password: event.currentTarget.value });
        }}
        error={fault}
      />
      <Group gap={6} mt={6}>
        <Button variant="default" size="xs" onClick={fillGenerated}>
          {t.generate}
        </Button>
        {made && <CopyButton text={form.password} label={t.copyPassword} />}
      </Group>
    </div>
  );
}
