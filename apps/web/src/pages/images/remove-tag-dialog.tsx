import { call } from '../../api/api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useImageChange } from './changes.ts';
import { useImagesWords } from './images-words.ts';
import type { ImagePlace } from './place.ts';

interface RemoveTagDialogProps {
  place: ImagePlace;
  tag: string;
  opened: boolean;
  onClose(): void;
}

export function RemoveTagDialog({ place, tag, opened, onClose }: RemoveTagDialogProps) {
  const t = useImagesWords();
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
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t.removeTagTitle(tag)}
      action={t.removeTagAction}
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error}
    >
      {t.removeTagText}
    </Confirm>
  );
}
