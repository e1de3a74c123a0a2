/** The dialog in which administrators create, change and delete a group, and choose its members. */
import { ActionIcon, Stack, TextInput, Title, Tooltip } from '@mantine/core';
import type { Group } from '@portcullis/contract';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { allGroups } from '../all-entries.ts';
import { UserPicker } from '../users/user-picker.tsx';
import classes from './groups.module.css';

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

function GroupMembers({ group }: { group: Group }) {
  const t = useMessages('groups');
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(allGroups);
  const params = { id: group.id };
  const add = useMutation({
    mutationFn: (user_id: string) => call('groups.addMember', { params, body: { user_id } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (user_id: string) =>
      call('groups.removeMember', { params: { ...params, user_id } }),
    onSuccess,
  });
  return (
    <Stack gap="xs">
      <div>
        <Title order={3} size="h3">
          {t.members}
        </Title>
        <Dimmed>{t.atOnce}</Dimmed>
      </div>
      <FaultAlert error={add.error ?? remove.error} />
      <UserPicker
        // Cleared after each new member.
        key={group.members.length}
        label={t.add}
        placeholder={t.addPlaceholder}
        value={null}
        without={group.members.map(({ id }) => id)}
        onChange={(user) => user && add.mutate(user.id)}
      />
      {group.members.length === 0 ? (
        <Dimmed>{t.noMembersText}</Dimmed>
      ) : (
        <ul className={classes.members}>
          {group.members.map(({ id, username }) => (
            <li key={id}>
              <span>{username}</span>
              <Tooltip label={t.removeMember(username)}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.removeMember(username)}
                  onClick={() => remove.mutate(id)}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Tooltip>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
