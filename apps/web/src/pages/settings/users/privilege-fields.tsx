import { Stack, Switch } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import type { UserForm } from './user-form.ts';

interface PrivilegeFieldsProps {
  isNew: boolean;
  isLocal: boolean;
  form: UserForm;
  set(change: Partial<UserForm>): void;
}

export function PrivilegeFields({ isNew, isLocal, form, set }: PrivilegeFieldsProps) {
  const t = useMessages('users');
  return (
    <Stack gap="sm">
      <Switch
        label={t.admin}
        description={t.adminHint}
        checked={form.is_admin}
        onChange={(event) => set({ is_admin: event.currentTarget.checked })}
      />
      <Switch
        label={t.bypass}
        description={t.bypassHint}
        checked={form.can_bypass_vuln_block}
        onChange={(event) => set({ can_bypass_vuln_block: event.currentTarget.checked })}
      />
      {isLocal && (
        <Switch
          label={t.mustChange}
          description={t.mustChangeHint}
          checked={form.must_change_password}
          onChange={(event) => set({ must_change_password: event.currentTarget.checked })}
        />
      )}
      {!isNew && (
        <Switch
          label={t.disabled}
          description={t.disabledHint}
          checked={form.disabled}
          onChange={(event) => set({ disabled: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
