import type { Registry } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { ConfirmDialog } from '../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../kit/action/notices.ts';

interface RemoveRegistryDialogProps {
  registry: Registry;
  opened: boolean;
  onClose(): void;
}

export function RemoveRegistryDialog({ registry, opened, onClose }: RemoveRegistryDialogProps) {
  const t = useMessages('registries');
  const queries = useQueryClient();
  const notices = useNotices();
  const remove = useMutation({
    mutationFn: () => call('registries.removeRegistry', { params: { id: registry.id } }),
    onSuccess() {
      notices.done(t.removed(registry.name));
      onClose();
      return queries.invalidateQueries({ queryKey: keyOf('registries.listRegistries') });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.removeTitle(registry.name)}
      action={t.removeAction}
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error}
    >
      {t.removeText}
    </ConfirmDialog>
  );
}
