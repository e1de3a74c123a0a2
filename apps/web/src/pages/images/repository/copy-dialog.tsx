/** Copies an image of the built-in registry to another repository or tag. */
import { Group, Select, Skeleton, Text, TextInput } from '@mantine/core';
import { localRepository, ROOT_FOLDER } from '@portcullis/domain';
import { useQueryClient } from '@tanstack/react-query';
import { call, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Administrators } from '../../../session/contacts.tsx';
import classes from '../images.module.css';
import { useNoPushable } from '../no-pushable.ts';
import { type RepositoryLocation, splitName } from '../repository-location.ts';
import { imagesChanged } from '../use-image-change.ts';

interface CopyDialogProps {
  place: RepositoryLocation;
  tag: string;
  onClose(): void;
}

interface CopyForm {
  /** Null: the first one that the account may push to. */
  folder: string | null;
  name: string;
  tag: string;
}

export function CopyDialog({ place: { repository }, tag, onClose }: CopyDialogProps) {
  const t = useMessages('images');
  const nowhere = useNoPushable();
  const queries = useQueryClient();
  const { data: folders = [], error, isPending } = useAnswer('folders.listPushable');
  const [, name] = splitName(repository);
  const targetOf = (form: CopyForm) =>
    localRepository(form.name, form.folder ?? folders[0] ?? null);
  return (
    <FormDialog
      title={t.copyTitle(`${repository}:${tag}`)}
      operation="images.copyImage"
      first={{ folder: null, name, tag } as CopyForm}
      isReady={() => folders.length > 0}
      send={async (form) => {
        const body = {
          source_repository: repository,
          source_tag: tag,
          dest_repository: targetOf(form),
          dest_tag: form.tag,
        };
        const { referrers_left: left } = await call('images.copyImage', { body });
        return { copy: `${body.dest_repository}:${body.dest_tag}`, left: left.length };
      }}
      done={({ copy, left }) => (left === 0 ? t.copiedTo(copy) : t.copiedWithout(copy, left))}
      action={t.copyAction}
      onDone={() => {
        imagesChanged(queries);
        onClose();
      }}
      onClose={onClose}
    >
      {(fields) => {
        if (isPending) return <Skeleton height={180} />;
        if (error) return <FaultAlert error={error} />;
        if (folders.length === 0)
          return (
            <Text c="dimmed" component="div">
              {nowhere} <Administrators />
            </Text>
          );
        return <Target folders={folders} repository={targetOf(fields.value)} {...fields} />;
      }}
    </FormDialog>
  );
}

interface TargetProps extends Fields<CopyForm> {
  folders: readonly string[];
  repository: string;
}

function Target({ folders, repository, value, set, text }: TargetProps) {
  const t = useMessages('images');
  return (
    <>
      <Select
        label={t.toFolder}
        data={folders.map((name) => ({
          value: name,
          label: name === ROOT_FOLDER ? t.noFolder : name,
        }))}
        value={value.folder ?? folders[0] ?? null}
        onChange={(folder) => set({ folder })}
        allowDeselect={false}
        searchable={folders.length > 8}
        data-autofocus
      />
      <Group grow align="flex-start">
        <TextInput
          label={t.toName}
          {...text('name', 'dest_repository')}
          onChange={(event) => set({ name: event.currentTarget.value.trim() })}
          spellCheck={false}
          required
        />
        <TextInput
          label={t.toTag}
          {...text('tag', 'dest_tag')}
          onChange={(event) => set({ tag: event.currentTarget.value.trim() })}
          spellCheck={false}
          required
        />
      </Group>
      <div>
        <code className={classes.code}>
          {window.location.host}/{repository}:{value.tag}
        </code>
        <Dimmed>{t.copyNote}</Dimmed>
      </div>
    </>
  );
}
