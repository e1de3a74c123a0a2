/** The dialog in which administrators set, change and remove the mirror of a folder. */
import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { FolderMirror } from '@portcullis/contract';
import { useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmedAct } from '../../../kit/action/confirmed-act.tsx';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { useRegistries } from '../../images/use-registries.ts';
import { DOCKER_HUB, draftOf, type MirrorDraft, mirrorOf } from './mirror-draft.ts';

interface MirrorDialogProps {
  folder: string;
  mirror: FolderMirror | null;
  onClose(): void;
}

const LISTS = [
  keyOf('folders.getMirror'),
  keyOf('folders.listMirrors'),
  keyOf('folders.listMirrorTags'),
  keyOf('folders.getMirrorConfig'),
  keyOf('folders.getFolder'),
  keyOf('folders.listPushable'),
  keyOf('folders.listAskable'),
];

export function MirrorDialog(props: MirrorDialogProps) {
  const { folder, mirror, onClose } = props;
  const t = useMessages('mirror');
  const [isRemoving, setRemoving] = useState(false);
  if (isRemoving) return <Removal {...props} onClose={() => setRemoving(false)} onDone={onClose} />;
  return (
    <FormDialog
      title={t.dialogTitle}
      operation="folders.updateFolder"
      first={draftOf(mirror)}
      send={(draft) => save(folder, mirrorOf(draft))}
      done={() => t.saved}
      lists={LISTS}
      onRemove={mirror ? () => setRemoving(true) : undefined}
      onClose={onClose}
    >
      {(fields) => <MirrorFields {...fields} />}
    </FormDialog>
  );
}

function save(folder: string, mirror: FolderMirror | null) {
  return call('folders.updateFolder', { params: { folder_id: folder }, body: { mirror } });
}

function MirrorFields({ value, text, number, tags, pick }: Fields<MirrorDraft>) {
  const t = useMessages('mirror');
  return (
    <>
      <UpstreamField {...pick('registry', 'mirror.registry_id')} />
      <TextInput
        label={t.prefix}
        description={t.prefixHint}
        placeholder="org"
        {...text('prefix', 'mirror.prefix')}
        spellCheck={false}
        autoCapitalize="none"
      />
      <TagsInput
        label={t.allow}
        description={t.allowHint}
        placeholder={value.allow.length === 0 ? 'library/*' : ''}
        {...tags('allow', 'mirror.allow')}
        splitChars={[' ', ',']}
        required
      />
      <TagsInput
        label={t.platforms}
        description={t.platformsHint}
        placeholder={value.platforms.length === 0 ? 'linux/amd64' : ''}
        {...tags('platforms', 'mirror.platforms')}
        splitChars={[' ', ',']}
      />
      <NumberInput
        label={t.checkMinutes}
        description={t.checkMinutesHint}
        {...number('check_minutes', 'mirror.check_minutes')}
        required
      />
      <NumberInput
        label={t.keepDays}
        description={t.keepDaysHint}
        {...number('keep_days', 'mirror.keep_days')}
        required
      />
      <Dimmed>{t.effect}</Dimmed>
    </>
  );
}

interface UpstreamFieldProps {
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

/** Registries of all accounts alone: what one account may read is not for all. */
function UpstreamField({ onChange, ...field }: UpstreamFieldProps) {
  const t = useMessages('mirror');
  const saved = (useRegistries().data ?? []).filter(
    ({ owner, system }) => owner === 'global' && !system,
  );
  return (
    <Select
      label={t.upstream}
      description={t.upstreamHint}
      data={[
        { value: DOCKER_HUB, label: t.dockerHub },
        ...saved.map(({ id, name, host }) => ({ value: id, label: `${name} (${host})` })),
      ]}
      {...field}
      onChange={(chosen) => onChange(chosen ?? field.value)}
      allowDeselect={false}
      data-autofocus
      required
    />
  );
}

function Removal({ folder, onDone, onClose }: MirrorDialogProps & { onDone(): void }) {
  const t = useMessages('mirror');
  return (
    <ConfirmedAct
      title={t.removeTitle(folder)}
      action={t.removeAction}
      run={() => save(folder, null)}
      done={() => t.removed}
      lists={LISTS}
      onDone={onDone}
      onClose={onClose}
    >
      {t.removeText}
    </ConfirmedAct>
  );
}
