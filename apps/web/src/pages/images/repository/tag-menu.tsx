/** Offers the acts of a tag. */
import { Menu } from '@mantine/core';
import type { ImageTag } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import {
  IconArrowsTransferUp,
  IconCopy,
  IconGitCompare,
  IconInfoCircle,
  IconShieldSearch,
  IconTag,
  IconTerminal2,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { ActionsMenu, GuardedMenuItem, UnusedMenu } from '../../../kit/action/actions-menu.tsx';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { copyText } from '../../../kit/action/copy-button.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { comparePath } from '../compare/compare-location.ts';
import { type RepositoryLocation, transferPath } from '../repository-location.ts';
import { useImageScans } from '../standing/image-scans.tsx';
import { useImageChange } from '../use-image-change.ts';
import { hostOf, useRegistries } from '../use-registries.ts';
import { useTagRefusal, useWriteRefusal } from '../write-refusal.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { RetagDialog } from './retag-dialog.tsx';

interface TagMenuProps {
  place: RepositoryLocation;
  tag: ImageTag;
  onOpen(): void;
}

type Dialogue = 'retag' | 'copy' | 'remove';

export function TagMenu(props: TagMenuProps) {
  const t = useMessages('images');
  return (
    <UnusedMenu label={t.actionsFor(props.tag.tag)}>{() => <UsedTagMenu {...props} />}</UnusedMenu>
  );
}

function UsedTagMenu({ place, tag, onOpen }: TagMenuProps) {
  const t = useMessages('images');
  const compare = useMessages('comparison');
  const refusal = useWriteRefusal(place);
  const noNewTag = useTagRefusal(place);
  const [dialogue, setDialogue] = useState<Dialogue | null>(null);
  const close = () => setDialogue(null);
  const shared = { place, tag: tag.tag, onClose: close };
  return (
    <>
      <ActionsMenu label={t.actionsFor(tag.tag)} width={250} opensAtOnce>
        <Menu.Item leftSection={<IconInfoCircle size={16} />} onClick={onOpen}>
          {t.details}
        </Menu.Item>
        <CopyPull place={place} tag={tag} />
        <ScanItem tag={tag} />
        <Menu.Item
          component={Link}
          to={comparePath(place, tag.tag)}
          leftSection={<IconGitCompare size={16} />}
        >
          {compare.open}
        </Menu.Item>
        <Menu.Divider role="separator" />
        <GuardedMenuItem refusal={noNewTag} icon={IconTag} onClick={() => setDialogue('retag')}>
          {t.retag}
        </GuardedMenuItem>
        <GuardedMenuItem
          refusal={place.registryId === LOCAL_REGISTRY_ID ? null : t.onlyLocal}
          icon={IconCopy}
          onClick={() => setDialogue('copy')}
        >
          {t.copyTo}
        </GuardedMenuItem>
        <Menu.Item
          component={Link}
          to={transferPath(place, tag.tag)}
          leftSection={<IconArrowsTransferUp size={16} />}
        >
          {t.transfer}
        </Menu.Item>
        <Menu.Divider role="separator" />
        <GuardedMenuItem
          refusal={refusal ?? (tag.immutable ? t.tagImmutable : null)}
          icon={IconTrash}
          danger
          onClick={() => setDialogue('remove')}
        >
          {t.removeTag}
        </GuardedMenuItem>
      </ActionsMenu>
      <RetagDialog {...shared} opened={dialogue === 'retag'} />
      {dialogue === 'copy' && <CopyDialog {...shared} />}
      <RemoveTagDialog {...shared} opened={dialogue === 'remove'} />
    </>
  );
}

function ScanItem({ tag }: { tag: ImageTag }) {
  const t = useMessages('standing');
  const { canScan, isScanning, scan } = useImageScans();
  if (!canScan) return null;
  const isBusy = isScanning(tag);
  return (
    <Menu.Item
      leftSection={<IconShieldSearch size={16} />}
      disabled={isBusy}
      onClick={() => scan([tag])}
    >
      {isBusy ? t.scanning : tag.verdict === null ? t.scan : t.scanAgain}
    </Menu.Item>
  );
}

function CopyPull({ place, tag }: { place: RepositoryLocation; tag: ImageTag }) {
  const [t, format] = useWords('images');
  const { notCopied } = useMessages('common');
  const notices = useNotices();
  const { host } = hostOf(place.registryId, useRegistries().data ?? []);
  const command = `docker pull ${host}/${place.repository}:${tag.tag}`;
  return (
    <Menu.Item
      leftSection={<IconTerminal2 size={16} />}
      onClick={() =>
        void copyText(command).then((isDone) =>
          notices.done(`${isDone ? t.copied : notCopied}${format.colon}${command}`),
        )
      }
    >
      {t.copyPull}
    </Menu.Item>
  );
}

interface RemoveTagDialogProps {
  place: RepositoryLocation;
  tag: string;
  opened: boolean;
  onClose(): void;
}

function RemoveTagDialog({ place, tag, opened, onClose }: RemoveTagDialogProps) {
  const t = useMessages('images');
  const { registryId, repository } = place;
  const remove = useImageChange({
    run: () =>
      call('images.removeImageTag', {
        params: { registry_id: registryId },
        query: { repository, tag },
      }),
    done: () => t.tagRemoved(tag),
    after: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.removeTagTitle(tag)}
      action={t.removeTagAction}
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error}
    >
      {t.removeTagText}
    </ConfirmDialog>
  );
}
