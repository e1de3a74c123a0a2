/** The dialog in which administrators create, change and delete a robot. */
import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
import type { Robot } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { allGroups, allRobots } from '../all-entries.ts';

interface RobotDialogProps {
  robot: Robot | null;
  onClose(): void;
  onMade(id: string): void;
}

interface Draft {
  name: string;
  description: string;
  owner_group_id: string | null;
  group_ids: string[];
  can_bypass_vuln_block: boolean;
  disabled: boolean;
}

export function RobotDialog({ robot, onClose, onMade }: RobotDialogProps) {
  const t = useMessages('robots');
  const params = { id: robot?.id ?? '' };
  return (
    <EntryDialog
      entry={robot}
      title={t.newRobot}
      words={t}
      operation="robots.create"
      first={draftOf(robot)}
      isReady={({ name }) => name.trim() !== ''}
      send={({ name, disabled, ...rest }) =>
        robot
          ? call('robots.update', { params, body: { ...rest, disabled } })
          : call('robots.create', { body: { ...rest, name: name.trim() } })
      }
      lists={[allRobots.queryKey]}
      onDone={robot ? onClose : ({ id }) => onMade(id)}
      onClose={onClose}
      removal={{ remove: () => call('robots.remove', { params }), text: t.removeText }}
    >
      {(fields) => (
        <>
          {!robot && (
            <TextInput
              label={t.name}
              description={t.nameHint}
              {...fields.text('name')}
              maxLength={128}
              required
              data-autofocus
            />
          )}
          <TextInput label={t.description} {...fields.text('description')} />
          <GroupFields {...fields} />
          <Checkbox label={t.bypass} {...fields.check('can_bypass_vuln_block')} />
          {robot && (
            <Checkbox
              label={t.disabled}
              description={t.disabledHint}
              {...fields.check('disabled')}
            />
          )}
        </>
      )}
    </EntryDialog>
  );
}

/** A new owner's permissions are added to those of the robot. */
function GroupFields({ value, set, pick }: Fields<Draft>) {
  const t = useMessages('robots');
  const groups = useQuery(allGroups);
  const choices = (groups.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  function own(id: string | null): void {
    const added = id === null ? [] : [id];
    set({ owner_group_id: id, group_ids: [...new Set([...value.group_ids, ...added])] });
  }
  return (
    <>
      <Select
        label={t.owner}
        description={t.ownerHint}
        placeholder={t.administrators}
        data={choices}
        {...pick('owner_group_id')}
        onChange={own}
        clearable
        searchable
      />
      <MultiSelect
        label={t.groups}
        description={t.groupsHint}
        data={choices}
        {...pick('group_ids')}
        searchable
      />
    </>
  );
}

function draftOf(robot: Robot | null): Draft {
  return {
    name: robot?.name ?? '',
    description: robot?.description ?? '',
    owner_group_id: robot?.owner?.id ?? null,
    group_ids: robot?.groups.map(({ id }) => id) ?? [],
    can_bypass_vuln_block: robot?.can_bypass_vuln_block ?? false,
    disabled: robot?.disabled ?? false,
  };
}
