import { Button, Group, Stack } from '@mantine/core';
import type { Registry } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '../../api/api.ts';
import { isProblem } from '../../api/problem-error.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { useAskedClose, useChanged } from '../../kit/form/asked-close.tsx';
import { SideDrawer } from '../../kit/layout/side-drawer.tsx';
import { useAccount } from '../../session/account.ts';
import { ConnectionTest } from './connection-test.tsx';
import { RegistryFields } from './registry-fields.tsx';
import {
  changeOf,
  type Edited,
  emptyForm,
  formOf,
  needsPasswordAgain,
  newRegistryOf,
  type RegistryForm,
} from './registry-form.ts';

export function RegistryDrawer({ edited, onClose }: { edited: Edited; onClose(): void }) {
  const t = useMessages('registries');
  const title = edited === null || edited === 'new' ? t.addTitle : t.editTitle(edited.name);
  const { close, isAsking, question } = useAskedClose(onClose);
  return (
    <>
      <SideDrawer
        opened={edited !== null}
        onClose={close}
        isBelow={isAsking}
        size={520}
        title={title}
        closeLabel={t.cancel}
      >
        {edited !== null && (
          <RegistryEditor
            registry={edited === 'new' ? null : edited}
            onSaved={onClose}
            onCancel={close}
          />
        )}
      </SideDrawer>
      {question}
    </>
  );
}

function useSave(registry: Registry | null, onSaved: () => void) {
  const t = useMessages('registries');
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: (form: RegistryForm) =>
      registry === null
        ? call('registries.createRegistry', { body: newRegistryOf(form) })
        : call('registries.updateRegistry', {
            params: { id: registry.id },
            body: changeOf(form, registry.policy_id),
          }),
    onSuccess({ name }) {
      notices.done(t.saved(name));
      onSaved();
      return queries.invalidateQueries({ queryKey: keyOf('registries.listRegistries') });
    },
  });
}

interface EditorProps {
  registry: Registry | null;
  onSaved(): void;
  onCancel(): void;
}

function RegistryEditor({ registry, onSaved, onCancel }: EditorProps) {
  const t = useMessages('registries');
  const { is_admin } = useAccount();
  const [form, setForm] = useState(() =>
    registry === null ? emptyForm(is_admin) : formOf(registry),
  );
  const forget = useChanged(form);
  const save = useSave(registry, () => {
    forget();
    onSaved();
  });
  const fields = isProblem(save.error) ? save.error.fields : {};
  const again = needsPasswordAgain(form, registry);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(form);
      }}
    >
      <Stack>
        <RegistryFields
          form={form}
          set={(change) => setForm({ ...form, ...change })}
          faults={fields}
          registry={registry}
          passwordAgain={again}
        />
        <ConnectionTest form={form} registry={registry} />
        {Object.keys(fields).length === 0 && <FaultAlert error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={again}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
