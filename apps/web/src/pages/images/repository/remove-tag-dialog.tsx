import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { useImageChange } from '../use-image-change.ts';

interface RemoveTagDialogProps {
  place: RepositoryLocation;
  tag: string;
  opened: boolean;
  onClose(): void;
}

export function RemoveTagDialog({ place, tag, opened, onClose }: RemoveTagDialogProps) {
  const t = useMessages('images');
  const { registryId, repository } = place;
  const remove = useImageChange({
    run: () =>
      call('images.removeImageTag', {
        params: { registry_id: registryId },
        query: { repository, tag },
      }),
    done: () => t.tagRemoved(tag),
    after: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.removeTagTitle(tag)}
      action={t.removeTagAction}
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error}
    >
      {t.removeTagText}
    </ConfirmDialog>
  );
}
