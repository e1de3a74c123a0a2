/** The dialog in which administrators create, change and delete a folder. */
import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import type { Folder } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
import { allFolders } from '../all-entries.ts';
import { folderName } from './folder-name.ts';
import { type FolderForm, GateFields } from './gate-fields.tsx';

interface FolderDialogProps {
  folder: Folder | null;
  onClose(): void;
}

/** As the server would make it. */
const NEW_FOLDER: FolderForm = {
  name: '',
  description: '',
  policy_id: null,
  push_gate: 'report',
  pull_gate: 'off',
  immutable_tags: [],
  quota_bytes: null,
};

const FOLDER_LISTS = [
  allFolders.queryKey,
  keyOf('folders.listFolderSummaries'),
  keyOf('folders.getFolderOverview'),
  keyOf('policies.listPolicies'),
];

export function FolderDialog({ folder, onClose }: FolderDialogProps) {
  const t = useMessages('folders');
  const [force, setForce] = useState(false);
  const params = { folder_id: folder?.id ?? '' };
  const isRoot = folder?.name === ROOT_FOLDER;
  return (
    <EntryDialog
      entry={folder && { name: folderName(folder.name, t.rootName) }}
      title={t.newTitle}
      words={{ ...t, saved: t.savedFolder }}
      operation="folders.createFolder"
      first={folder ? formOf(folder) : NEW_FOLDER}
      isReady={({ name }) => name.trim() !== ''}
      send={({ name, description, ...gates }) => {
        const body = { ...(!isRoot && { description }), ...gates };
        return folder
          ? call('folders.updateFolder', { params, body })
          : call('folders.createFolder', { body: { name, ...body } });
      }}
      lists={FOLDER_LISTS}
      onClose={onClose}
      removal={
        isRoot
          ? undefined
          : {
              remove: () =>
                call('folders.removeFolder', {
                  params,
                  query: { force: force ? 'true' : 'false' },
                }),
              text: (error) => <Removal error={error} force={force} onForce={setForce} />,
            }
      }
    >
      {(fields) => (
        <>
          {!folder && (
            <TextInput
              label={t.name}
              description={t.nameHint}
              {...fields.text('name')}
              required
              data-autofocus
            />
          )}
          {!isRoot && <TextInput label={t.description} {...fields.text('description')} />}
          <GateFields {...fields} />
          {!folder && (
            <Text size="sm" c="dimmed">
              {t.newEffect}
            </Text>
          )}
        </>
      )}
    </EntryDialog>
  );
}

function formOf(folder: Folder): FolderForm {
  const { name, description, policy_id, push_gate, pull_gate, immutable_tags } = folder;
  const { quota_bytes } = folder;
  return { name, description, policy_id, push_gate, pull_gate, immutable_tags, quota_bytes };
}

interface RemovalProps {
  error: unknown;
  force: boolean;
  onForce(force: boolean): void;
}

/** A folder that is not empty needs a second confirmation. */
function Removal({ error, force, onForce }: RemovalProps) {
  const t = useMessages('folders');
  return (
    <Stack gap="sm">
      <Text>{t.removeText}</Text>
      {(isProblem(error, 'FOLDER_NOT_EMPTY') || force) && (
        <Alert color="gray" variant="light">
          <Checkbox
            label={t.force}
            checked={force}
            onChange={(event) => onForce(event.currentTarget.checked)}
          />
        </Alert>
      )}
    </Stack>
  );
}
