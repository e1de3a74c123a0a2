/** The dialog in which administrators create, change and delete a folder. */
import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import type { Folder, FolderChange } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { EntryActions } from '../../../kit/form/entry-actions.tsx';
import { useEntrySave } from '../../../kit/form/use-entry-save.ts';
import { allFolders } from '../all-entries.ts';
import { folderName, ROOT } from './folder-name.ts';
import { type FolderGates, GateFields } from './gate-fields.tsx';

interface FolderDialogProps {
  folder: Folder | null;
  onClose(): void;
}

export function FolderDialog({ folder, onClose }: FolderDialogProps) {
  const t = useMessages('folders');
  const [removing, setRemoving] = useState(false);
  if (folder && removing)
    return <FolderRemoval folder={folder} onClose={() => setRemoving(false)} onDone={onClose} />;
  return (
    <AskedModal
      opened
      onClose={onClose}
      title={folder ? folderName(folder.name, t.rootName) : t.newTitle}
    >
      {(close) => (
        <FolderForm
          folder={folder}
          onClose={onClose}
          onCancel={close}
          onRemove={() => setRemoving(true)}
        />
      )}
    </AskedModal>
  );
}

/** As the server would make it. */
const NEW_FOLDER: FolderGates = {
  policy_id: null,
  push_gate: 'report',
  pull_gate: 'off',
  immutable_tags: [],
  quota_bytes: null,
};

interface FolderFormProps extends FolderDialogProps {
  onCancel(): void;
  onRemove(): void;
}

function FolderForm({ folder, onClose, onCancel, onRemove }: FolderFormProps) {
  const t = useMessages('folders');
  const [name, setName] = useState('');
  const [description, setDescription] = useState(folder?.description ?? '');
  const [gates, setGates] = useState<FolderGates>(folder ?? NEW_FOLDER);
  const isRoot = folder?.name === ROOT;
  useChanged({ name, description, gates });
  const save = useSave(folder, onClose);
  const faults = isProblem(save.error) ? save.error.fields : {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { policy_id, push_gate, pull_gate, immutable_tags, quota_bytes } = gates;
    const about = isRoot ? {} : { description };
    const change = { ...about, policy_id, push_gate, pull_gate, immutable_tags, quota_bytes };
    save.mutate({ name, change });
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <FaultAlert error={save.error} />
        {!folder && (
          <TextInput
            label={t.name}
            description={t.nameHint}
            value={name}
            required
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
            error={faults.name}
          />
        )}
        {!isRoot && (
          <TextInput
            label={t.description}
            value={description}
            maxLength={1000}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={faults.description}
          />
        )}
        <GateFields
          gates={gates}
          patternFault={patternFaultIn(faults)}
          quotaFault={faults.quota_bytes}
          set={(change) => setGates({ ...gates, ...change })}
        />
        {!folder && (
          <Text size="sm" c="dimmed">
            {t.newEffect}
          </Text>
        )}
        <EntryActions
          isNew={!folder}
          create={t.create}
          pending={save.isPending}
          disabled={!folder && name.trim() === ''}
          onCancel={onCancel}
          {...(!isRoot && { onRemove })}
        />
      </Stack>
    </form>
  );
}

function patternFaultIn(faults: Readonly<Record<string, string>>): string | undefined {
  const path = Object.keys(faults).find((each) => each.startsWith('immutable_tags'));
  return path === undefined ? undefined : faults[path];
}

const FOLDER_LISTS = [
  allFolders.queryKey,
  keyOf('folders.listFolderSummaries'),
  keyOf('folders.getFolderOverview'),
];

function useSave(folder: Folder | null, onDone: () => void) {
  const t = useMessages('folders');
  return useEntrySave({
    save: ({ name, change }: { name: string; change: FolderChange }) =>
      folder
        ? call('folders.updateFolder', { params: { folder_id: folder.id }, body: change })
        : call('folders.createFolder', { body: { name, ...change } }),
    done: (saved) => (folder ? t.savedFolder(saved.name) : t.created(saved.name)),
    lists: [...FOLDER_LISTS, keyOf('policies.listPolicies')],
    onDone,
  });
}

interface FolderRemovalProps {
  folder: Folder;
  onClose(): void;
  onDone(): void;
}

/** A folder that is not empty needs a second confirmation. */
function FolderRemoval({ folder, onClose, onDone }: FolderRemovalProps) {
  const t = useMessages('folders');
  const notices = useNotices();
  const queries = useQueryClient();
  const [force, setForce] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      call('folders.removeFolder', {
        params: { folder_id: folder.id },
        query: { force: force ? 'true' : 'false' },
      }),
    onSuccess: async () => {
      notices.done(t.removed(folder.name));
      onDone();
      await Promise.all(FOLDER_LISTS.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const holds = isProblem(remove.error, 'FOLDER_NOT_EMPTY');
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.removeTitle(folder.name)}
      action={t.removeAction}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      <Stack gap="sm">
        <Text>{t.removeText}</Text>
        {(holds || force) && (
          <Alert color="gray" variant="light">
            <Checkbox
              label={t.force}
              checked={force}
              onChange={(event) => setForce(event.currentTarget.checked)}
            />
          </Alert>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
