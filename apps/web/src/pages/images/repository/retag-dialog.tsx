import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { useImageChange } from '../use-image-change.ts';

interface RetagDialogProps {
  place: RepositoryLocation;
  tag: string;
  opened: boolean;
  onClose(): void;
}

export function RetagDialog({ opened, onClose, ...props }: RetagDialogProps) {
  const t = useMessages('images');
  return (
    <AskedModal
      opened={opened}
      onClose={onClose}
      title={t.retagTitle(`${props.place.repository}:${props.tag}`)}
    >
      {(close) => <RetagForm {...props} onClose={onClose} onCancel={close} />}
    </AskedModal>
  );
}

/** Whether the tag exists; false while unknown. */
function useTagExists({ registryId, repository }: RepositoryLocation, name: string): boolean {
  const [tag] = useDebouncedValue(name, 250);
  const there = useQuery({
    ...ask('images.findImageTag', {
      params: { registry_id: registryId },
      query: { repository, tag },
    }),
    enabled: tag !== '',
    retry: false,
  });
  return tag === name && typeof there.data?.digest === 'string';
}

interface RetagFormProps extends Omit<RetagDialogProps, 'opened'> {
  onCancel(): void;
}

function RetagForm({ place, tag, onClose, onCancel }: RetagFormProps) {
  const t = useMessages('images');
  const [name, setName] = useState('');
  const forget = useChanged({ name });
  const retag = useImageChange({
    run: () =>
      call('images.retagImage', {
        params: { registry_id: place.registryId },
        query: { repository: place.repository },
        body: { source_tag: tag, new_tag: name },
      }),
    done: () => t.retagged(`${place.repository}:${name}`),
    after() {
      forget();
      onClose();
    },
  });
  const fields = isProblem(retag.error) ? retag.error.fields : {};
  const taken = useTagExists(place, name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        retag.mutate();
      }}
    >
      <Stack>
        <TextInput
          label={t.newTag}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          error={fields.new_tag}
          spellCheck={false}
          autoCapitalize="none"
        />
        {taken && name !== tag && (
          <Text size="sm" c="var(--high)">
            {t.tagMoves(name)}
          </Text>
        )}
        {Object.keys(fields).length === 0 && <FaultAlert error={retag.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={retag.isPending} disabled={name === '' || name === tag}>
            {t.retagAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
