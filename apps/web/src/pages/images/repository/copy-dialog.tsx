import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { localRepository, ROOT_FOLDER } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import classes from '../images.module.css';
import { type RepositoryLocation, splitName } from '../repository-location.ts';
import { useImageChange } from '../use-image-change.ts';

interface CopyDialogProps {
  place: RepositoryLocation;
  tag: string;
  onClose(): void;
}

export function CopyDialog({ onClose, ...props }: CopyDialogProps) {
  const t = useMessages('images');
  const pushable = useQuery(ask('folders.listPushable'));
  return (
    <AskedModal
      opened
      onClose={onClose}
      title={t.copyTitle(`${props.place.repository}:${props.tag}`)}
    >
      {(close) => (
        <>
          {pushable.isError && <FaultAlert error={pushable.error} />}
          {pushable.isPending && <Skeleton height={180} />}
          {pushable.data && (
            <CopyForm {...props} folders={pushable.data} onClose={onClose} onCancel={close} />
          )}
        </>
      )}
    </AskedModal>
  );
}

interface CopyFormProps extends CopyDialogProps {
  folders: string[];
  onCancel(): void;
}

function CopyForm({ place, tag, folders, onClose, onCancel }: CopyFormProps) {
  const t = useMessages('images');
  const [folder, setFolder] = useState<string | null>(folders[0] ?? null);
  const [name, setName] = useState(splitName(place.repository)[1]);
  const [newTag, setNewTag] = useState(tag);
  useChanged({ folder, name, newTag });
  const target = localRepository(name, folder);
  const copy = useImageChange({
    run: () =>
      call('images.copyImage', {
        body: {
          source_repository: place.repository,
          source_tag: tag,
          dest_repository: target,
          dest_tag: newTag,
        },
      }),
    done: ({ referrers_left: { length } }) =>
      length === 0
        ? t.copiedTo(`${target}:${newTag}`)
        : t.copiedWithout(`${target}:${newTag}`, length),
    after: onClose,
  });
  const fields = isProblem(copy.error) ? copy.error.fields : {};
  if (folders.length === 0) return <Text c="dimmed">{t.mayNotWriteRoot}</Text>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        copy.mutate();
      }}
    >
      <Stack>
        <Select
          label={t.toFolder}
          data={folders.map((value) => ({
            value,
            label: value === ROOT_FOLDER ? t.noFolder : value,
          }))}
          value={folder}
          onChange={setFolder}
          allowDeselect={false}
          searchable={folders.length > 8}
          data-autofocus
        />
        <Group grow align="flex-start">
          <TextInput
            label={t.toName}
            value={name}
            onChange={(event) => setName(event.currentTarget.value.trim())}
            error={fields.dest_repository}
            spellCheck={false}
            required
          />
          <TextInput
            label={t.toTag}
            value={newTag}
            onChange={(event) => setNewTag(event.currentTarget.value.trim())}
            error={fields.dest_tag}
            spellCheck={false}
            required
          />
        </Group>
        <div>
          <code className={classes.code}>
            {window.location.host}/{target}:{newTag}
          </code>
          <Text size="sm" c="dimmed">
            {t.copyNote}
          </Text>
        </div>
        {Object.keys(fields).length === 0 && <FaultAlert error={copy.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={copy.isPending}>
            {t.copyAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
