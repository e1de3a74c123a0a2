/** The dialog in which administrators create, change and delete a group, and choose its members. */
import { Stack, TextInput } from '@mantine/core';
import type { Group } from '@portcullis/contract';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/removal-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { EntryActions } from '../../../kit/form/entry-actions.tsx';
import { useEntrySave } from '../../../kit/form/use-entry-save.ts';
import { allGroups } from '../all-entries.ts';
import { GroupMembers } from './group-members.tsx';

interface GroupDialogProps {
  group: Group | null;
  onClose(): void;
  /** The dialog continues with the new group, to add members. */
  onMade(id: string): void;
}

export function GroupDialog({ group, onClose, onMade }: GroupDialogProps) {
  const t = useMessages('groups');
  const [removing, setRemoving] = useState(false);
  if (group && removing)
    return <GroupRemoval group={group} onClose={() => setRemoving(false)} onDone={onClose} />;
  return (
    <AskedModal opened onClose={onClose} title={group?.name ?? t.newGroup}>
      {(close) => (
        <Stack gap="lg">
          <GroupForm
            key={group?.id}
            group={group}
            onMade={onMade}
            onSaved={onClose}
            onCancel={close}
            onRemove={() => setRemoving(true)}
          />
          {group && <GroupMembers group={group} />}
        </Stack>
      )}
    </AskedModal>
  );
}

interface GroupFormProps extends Pick<GroupDialogProps, 'group' | 'onMade'> {
  onSaved(): void;
  onCancel(): void;
  onRemove(): void;
}

function GroupForm({ group, onMade, onSaved, onCancel, onRemove }: GroupFormProps) {
  const t = useMessages('groups');
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  useChanged({ name, description });
  const save = useSave(group, (made) => (group ? onSaved() : onMade(made.id)));
  const faults = isProblem(save.error) ? save.error.fields : {};
  const changed = name !== group?.name || description !== group.description;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (changed) save.mutate({ name: name.trim(), description });
    else onSaved();
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        <FaultAlert error={save.error} />
        <TextInput
          label={t.name}
          value={name}
          required
          maxLength={128}
          {...(!group && { 'data-autofocus': true })}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faults.name}
        />
        <TextInput
          label={t.description}
          value={description}
          maxLength={1000}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={faults.description}
        />
        <EntryActions
          isNew={!group}
          create={t.create}
          pending={save.isPending}
          disabled={name.trim() === '' || (!!group && !changed)}
          onCancel={onCancel}
          onRemove={onRemove}
        />
      </Stack>
    </form>
  );
}

function useSave(group: Group | null, onDone: (made: Group) => void) {
  const t = useMessages('groups');
  return useEntrySave({
    save: (body: { name: string; description: string }) =>
      group
        ? call('groups.updateGroup', { params: { id: group.id }, body })
        : call('groups.createGroup', { body }),
    done: ({ name }) => (group ? t.saved(name) : t.created(name)),
    lists: [allGroups.queryKey],
    onDone,
  });
}

interface GroupRemovalProps {
  group: Group;
  onClose(): void;
  onDone(): void;
}

function GroupRemoval({ group, ...on }: GroupRemovalProps) {
  const t = useMessages('groups');
  return (
    <RemovalDialog
      {...on}
      title={t.removeTitle(group.name)}
      action={t.removeAction}
      remove={() => call('groups.removeGroup', { params: { id: group.id } })}
      done={t.removed(group.name)}
      lists={[allGroups.queryKey]}
    >
      {t.removeText(group.members.length)}
    </RemovalDialog>
  );
}
