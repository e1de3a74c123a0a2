/** The dialog in which administrators create, change and delete a folder. */
import {
  Alert,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import type { Folder } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
import { ChoiceRadios } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { allFolders } from '../all-entries.ts';
import { PolicySelect } from '../policies/policy-select.tsx';
import { folderName } from './folder-name.ts';
import { QUOTA_UNITS, quotaBytes, type WrittenQuota, writtenQuota } from './quota/quota-units.ts';

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
  statements: 'off',
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
          {!folder && <Dimmed>{t.newEffect}</Dimmed>}
        </>
      )}
    </EntryDialog>
  );
}

function formOf(folder: Folder): FolderForm {
  const { name, description, policy_id, push_gate, pull_gate, immutable_tags } = folder;
  const { quota_bytes, statements } = folder;
  const gates = { policy_id, push_gate, pull_gate, immutable_tags };
  return { name, description, ...gates, quota_bytes, statements };
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

type FolderForm = Pick<
  Folder,
  | 'name'
  | 'description'
  | 'policy_id'
  | 'push_gate'
  | 'pull_gate'
  | 'immutable_tags'
  | 'quota_bytes'
  | 'statements'
>;

/** The policy of a folder, what its gates do and state, which tags stay as they are, its quota. */
function GateFields({ value, pick, tags }: Fields<FolderForm>) {
  const t = useMessages('folders');
  return (
    <>
      <PolicySelect label={t.policy} description={t.policyHint} {...pick('policy_id')} />
      <ChoiceRadios label={t.pushGate} choices={t.pushGates} {...pick('push_gate')} />
      <ChoiceRadios label={t.pullGate} choices={t.pullGates} {...pick('pull_gate')} />
      <ChoiceRadios label={t.statements} choices={t.statementModes} {...pick('statements')} />
      <TagsInput
        label={t.immutableTags}
        description={t.immutableTagsHint}
        placeholder={value.immutable_tags.length === 0 ? 'v*' : ''}
        {...tags('immutable_tags')}
        isDuplicate={(pattern, others) => others.includes(pattern)}
        splitChars={[' ']}
      />
      <QuotaField {...pick('quota_bytes')} />
    </>
  );
}

interface QuotaFieldProps {
  value: number | null;
  error: string | undefined;
  onChange(bytes: number | null): void;
}

/** The quota of a folder, as a number and a unit. */
function QuotaField({ value: bytes, error, onChange }: QuotaFieldProps) {
  const t = useMessages('folders');
  const [written, setWritten] = useState(() => writtenQuota(bytes));
  const write = (next: WrittenQuota) => {
    setWritten(next);
    onChange(quotaBytes(next));
  };
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <NumberInput
        flex={1}
        label={t.quota}
        description={t.quotaHint}
        placeholder={t.noQuota}
        min={0}
        allowNegative={false}
        value={written.amount}
        onChange={(amount) => write({ ...written, amount })}
        error={error}
      />
      <NativeSelect
        label={t.quotaUnit}
        data={QUOTA_UNITS.map((value) => ({ value, label: t.quotaUnits[value] }))}
        value={written.unit}
        onChange={({ currentTarget }) => {
          const unit = QUOTA_UNITS.find((each) => each === currentTarget.value);
          if (unit) write({ ...written, unit });
        }}
      />
    </Group>
  );
}
