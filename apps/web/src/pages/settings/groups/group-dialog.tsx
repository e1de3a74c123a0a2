/** The dialog in which administrators create, change and delete a group, and choose its members. */
import { TextInput } from '@mantine/core';
import type { Group } from '@portcullis/contract';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
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
  const params = { id: group?.id ?? '' };
  return (
    <EntryDialog
      key={params.id}
      entry={group}
      title={t.newGroup}
      words={t}
      operation="groups.createGroup"
      first={{ name: group?.name ?? '', description: group?.description ?? '' }}
      isReady={({ name }) => name.trim() !== ''}
      send={(body) =>
        group ? call('groups.updateGroup', { params, body }) : call('groups.createGroup', { body })
      }
      lists={[allGroups.queryKey]}
      onDone={group ? onClose : ({ id }) => onMade(id)}
      onClose={onClose}
      removal={{
        remove: () => call('groups.removeGroup', { params }),
        text: t.removeText(group?.members.length ?? 0),
      }}
      below={group && <GroupMembers group={group} />}
    >
      {({ text }) => (
        <>
          <TextInput label={t.name} {...text('name')} required data-autofocus={!group} />
          <TextInput label={t.description} {...text('description')} />
        </>
      )}
    </EntryDialog>
  );
}
