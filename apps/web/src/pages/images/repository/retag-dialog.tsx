/** Gives an image of a repository another tag. */
import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { call, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { imagesChanged } from '../use-image-change.ts';

interface RetagDialogProps {
  place: RepositoryLocation;
  tag: string;
  opened: boolean;
  onClose(): void;
}

export function RetagDialog({ place, tag, opened, onClose }: RetagDialogProps) {
  const t = useMessages('images');
  const queries = useQueryClient();
  return (
    <FormDialog
      opened={opened}
      title={t.retagTitle(`${place.repository}:${tag}`)}
      operation="images.retagImage"
      first={{ new_tag: '' }}
      isReady={({ new_tag: name }) => name.trim() !== '' && name.trim() !== tag}
      send={({ new_tag: name }) =>
        call('images.retagImage', {
          params: { registry_id: place.registryId },
          query: { repository: place.repository },
          body: { source_tag: tag, new_tag: name.trim() },
        })
      }
      done={({ tag: made }) => t.retagged(`${place.repository}:${made}`)}
      action={t.retagAction}
      onDone={() => {
        imagesChanged(queries);
        onClose();
      }}
      onClose={onClose}
    >
      {({ value: { new_tag: name }, text }) => (
        <>
          <TextInput
            label={t.newTag}
            {...text('new_tag')}
            data-autofocus
            spellCheck={false}
            autoCapitalize="none"
          />
          {name.trim() !== tag && <TagExists place={place} name={name.trim()} />}
        </>
      )}
    </FormDialog>
  );
}

/** Whether the tag exists; false while unknown. */
function useTagExists({ registryId, repository }: RepositoryLocation, name: string): boolean {
  const [tag] = useDebouncedValue(name, 250);
  const there = useAnswer(
    'images.findImageTag',
    {
      params: { registry_id: registryId },
      query: { repository, tag },
    },
    { enabled: tag !== '', retry: false },
  );
  return tag === name && typeof there.data?.digest === 'string';
}

function TagExists({ place, name }: { place: RepositoryLocation; name: string }) {
  const t = useMessages('images');
  if (!useTagExists(place, name)) return null;
  return (
    <Text size="sm" c="var(--high)">
      {t.tagMoves(name)}
    </Text>
  );
}
