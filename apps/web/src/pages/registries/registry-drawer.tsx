/** Creates or changes a saved registry, and tests the connection to it. */
import type { Registry } from '@portcullis/contract';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FormDialog } from '../../kit/dialog/form-dialog.tsx';
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
  const { is_admin } = useAccount();
  const registry = edited === 'new' ? null : edited;
  return (
    <FormDialog
      opened={edited !== null}
      drawer={520}
      title={registry === null ? t.addTitle : t.editTitle(registry.name)}
      operation="registries.createRegistry"
      first={registry === null ? emptyForm(is_admin) : formOf(registry)}
      isReady={(form) => !needsPasswordAgain(form, registry)}
      send={(form) => save(form, registry)}
      done={({ name }) => t.saved(name)}
      lists={[keyOf('registries.listRegistries')]}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <RegistryFields {...fields} registry={registry} />
          <ConnectionTest form={fields.value} registry={registry} />
        </>
      )}
    </FormDialog>
  );
}

function save(form: RegistryForm, registry: Registry | null): Promise<Registry> {
  if (registry === null) return call('registries.createRegistry', { body: newRegistryOf(form) });
  const body = changeOf(form, registry.policy_id);
  return call('registries.updateRegistry', { params: { id: registry.id }, body });
}
