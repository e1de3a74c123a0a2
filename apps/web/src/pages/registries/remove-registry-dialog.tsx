/** Deletes a saved registry after a confirmation. */
import type { Registry } from '@portcullis/contract';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { RemovalDialog } from '../../kit/action/removal-dialog.tsx';

interface RemoveRegistryDialogProps {
  registry: Registry;
  opened: boolean;
  onClose(): void;
}

export function RemoveRegistryDialog({ registry, opened, onClose }: RemoveRegistryDialogProps) {
  const t = useMessages('registries');
  return (
    <RemovalDialog
      opened={opened}
      name={registry.name}
      words={t}
      run={() => call('registries.removeRegistry', { params: { id: registry.id } })}
      lists={[keyOf('registries.listRegistries')]}
      onClose={onClose}
    >
      {t.removeText}
    </RemovalDialog>
  );
}
