/** The dialog in which administrators create, change and delete a robot. */
import { Checkbox, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import type { Robot } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/removal-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { EntryActions } from '../../../kit/form/entry-actions.tsx';
import { useEntrySave } from '../../../kit/form/use-entry-save.ts';
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
  const [removing, setRemoving] = useState(false);
  if (robot && removing)
    return <RobotRemoval robot={robot} onClose={() => setRemoving(false)} onDone={onClose} />;
  return (
    <AskedModal opened onClose={onClose} title={robot?.name ?? t.newRobot}>
      {(close) => (
        <RobotForm
          robot={robot}
          onClose={onClose}
          onMade={onMade}
          onCancel={close}
          onRemove={() => setRemoving(true)}
        />
      )}
    </AskedModal>
  );
}

interface RobotFormProps extends RobotDialogProps {
  onCancel(): void;
  onRemove(): void;
}

function RobotForm({ robot, onClose, onMade, onCancel, onRemove }: RobotFormProps) {
  const t = useMessages('robots');
  const [draft, setDraft] = useState(() => draftOf(robot));
  useChanged(draft);
  const save = useSave(robot, (made) => (robot ? onClose() : onMade(made.id)));
  const faults = isProblem(save.error) ? save.error.fields : {};
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(draft);
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        <FaultAlert error={save.error} />
        {!robot && (
          <TextInput
            label={t.name}
            description={t.nameHint}
            value={draft.name}
            required
            maxLength={128}
            data-autofocus
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={faults.name}
          />
        )}
        <TextInput
          label={t.description}
          value={draft.description}
          maxLength={1000}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={faults.description}
        />
        <GroupFields draft={draft} onChange={set} />
        <Checkbox
          label={t.bypass}
          checked={draft.can_bypass_vuln_block}
          onChange={(event) => set({ can_bypass_vuln_block: event.currentTarget.checked })}
        />
        {robot && (
          <Checkbox
            label={t.disabled}
            description={t.disabledHint}
            checked={draft.disabled}
            onChange={(event) => set({ disabled: event.currentTarget.checked })}
          />
        )}
        <EntryActions
          isNew={!robot}
          create={t.create}
          pending={save.isPending}
          disabled={draft.name.trim() === ''}
          onCancel={onCancel}
          onRemove={onRemove}
        />
      </Stack>
    </form>
  );
}

/** A new owner's permissions are added to those of the robot. */
function GroupFields({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange(change: Partial<Draft>): void;
}) {
  const t = useMessages('robots');
  const groups = useQuery(allGroups);
  const choices = (groups.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  function own(id: string | null): void {
    const added = id === null ? [] : [id];
    onChange({
      owner_group_id: id,
      group_ids: [...new Set([...draft.group_ids, ...added])],
    });
  }
  return (
    <>
      <Select
        label={t.owner}
        description={t.ownerHint}
        placeholder={t.administrators}
        data={choices}
        value={draft.owner_group_id}
        onChange={own}
        clearable
        searchable
      />
      <MultiSelect
        label={t.groups}
        description={t.groupsHint}
        data={choices}
        value={draft.group_ids}
        onChange={(group_ids) => onChange({ group_ids })}
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

function useSave(robot: Robot | null, onDone: (made: Robot) => void) {
  const t = useMessages('robots');
  return useEntrySave({
    save: ({ name, disabled, ...rest }: Draft) =>
      robot
        ? call('robots.update', { params: { id: robot.id }, body: { ...rest, disabled } })
        : call('robots.create', { body: { ...rest, name: name.trim() } }),
    done: ({ name }) => (robot ? t.saved(name) : t.created(name)),
    lists: [allRobots.queryKey],
    onDone,
  });
}

interface RobotRemovalProps {
  robot: Robot;
  onClose(): void;
  onDone(): void;
}

function RobotRemoval({ robot, ...on }: RobotRemovalProps) {
  const t = useMessages('robots');
  return (
    <RemovalDialog
      {...on}
      title={t.removeTitle(robot.name)}
      action={t.removeAction}
      remove={() => call('robots.remove', { params: { id: robot.id } })}
      done={t.removed(robot.name)}
      lists={[allRobots.queryKey]}
    >
      {t.removeText}
    </RemovalDialog>
  );
}
