/** Shows the tags of a repository. */
import { Alert, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RepositoryRemoval } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconArrowsTransferUp, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { call, keyOf, page } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ActButton } from '../../../kit/action/act-button.tsx';
import { ActionsMenu, GuardedMenuItem } from '../../../kit/action/actions-menu.tsx';
import { FormActions } from '../../../kit/dialog/form-actions.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { folderPath } from '../../folders/folder-location.ts';
import classes from '../images.module.css';
import {
  listPath,
  type RepositoryLocation,
  transferPath,
  treePath,
} from '../repository-location.ts';
import { ImageScans } from '../standing/image-scans.tsx';
import { useImageChange } from '../use-image-change.ts';
import { useRegistries } from '../use-registries.ts';
import { useFolder, useWriteRefusal } from '../write-refusal.ts';
import { TagList } from './tag-list.tsx';

export function Component() {
  const { registryId = LOCAL_REGISTRY_ID, '*': repository = '' } = useParams();
  const place = { registryId, repository };
  const tag = useSearchParams()[0].get('tag');
  return (
    <>
      <Way {...place} />
      <PageHead title={repository} documentTitle={tag ? `${repository}:${tag}` : repository}>
        <RepositoryActions place={place} />
      </PageHead>
      <ImageScans place={place}>
        <TagList place={place} />
      </ImageScans>
    </>
  );
}

/** Links to the list, and in the built-in registry to the folder and the paths above. */
function Way({ registryId, repository }: RepositoryLocation) {
  const t = useMessages('images');
  const registries = useRegistries().data ?? [];
  const folder = useFolder(repository);
  const local = registryId === LOCAL_REGISTRY_ID;
  const saved = registries.find(({ id }) => id === registryId);
  const list = { name: local ? t.title : (saved?.name ?? t.registry), to: listPath(registryId) };
  const names = local ? repository.split('/').slice(0, -1) : [];
  const above = names.map((name, depth) => ({
    name,
    to:
      name === folder && depth === 0
        ? folderPath(folder)
        : treePath(names.slice(0, depth + 1), folder),
  }));
  return <Breadcrumbs label={t.title} parents={[list, ...above]} />;
}

function RepositoryActions({ place }: { place: RepositoryLocation }) {
  const t = useMessages('images');
  const refusal = useWriteRefusal(place);
  const [removing, { open, close }] = useDisclosure();
  return (
    <>
      <ActButton to={transferPath(place)} icon={IconArrowsTransferUp}>
        {t.transfer}
      </ActButton>
      <ActionsMenu label={t.repositoryActions} width={260} page>
        <GuardedMenuItem refusal={refusal} danger icon={IconTrash} onClick={open}>
          {t.removeRepository}
        </GuardedMenuItem>
      </ActionsMenu>
      <RemoveRepositoryDialog place={place} opened={removing} onClose={close} />
    </>
  );
}

interface RemoveRepositoryDialogProps {
  place: RepositoryLocation;
  opened: boolean;
  onClose(): void;
}

/** Asks before all tags of a repository are deleted, and names those that stay. */
function RemoveRepositoryDialog({ place, opened, onClose }: RemoveRepositoryDialogProps) {
  const t = useMessages('images');
  return (
    <Modal opened={opened} onClose={onClose} title={t.removeRepositoryTitle}>
      <RemovalForm place={place} onClose={onClose} />
    </Modal>
  );
}

function useTagCount({ registryId, repository }: RepositoryLocation): number | null {
  const request = { params: { registry_id: registryId }, query: { repository, limit: 1 } };
  const tags = useQuery({
    queryKey: keyOf('images.listImageTags', request),
    queryFn: () => page('images.listImageTags', request),
  });
  return tags.data?.total ?? null;
}

function RemovalForm({ place, onClose }: Omit<RemoveRepositoryDialogProps, 'opened'>) {
  const t = useMessages('images');
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const count = useTagCount(place);
  const { registryId, repository } = place;
  const remove = useImageChange<void, RepositoryRemoval>({
    run: () =>
      call('images.removeRepository', {
        params: { registry_id: registryId },
        query: { repository },
      }),
    done: ({ failed }) => (failed.length === 0 ? t.repositoryRemoved(repository) : null),
    after: ({ failed }) => failed.length === 0 && void navigate(listPath(registryId)),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === repository) remove.mutate();
      }}
    >
      <Stack>
        <Text>{t.removeRepositoryText(count === null ? repository : t.tagCount(count))}</Text>
        <TextInput
          label={<code className={classes.code}>{repository}</code>}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          data-autofocus
        />
        <Failures removal={remove.data} />
        <FaultAlert error={remove.error} />
        <FormActions
          action={t.removeRepositoryAction}
          danger
          pending={remove.isPending}
          disabled={typed !== repository}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function Failures({ removal }: { removal: RepositoryRemoval | undefined }) {
  const t = useMessages('images');
  const { codes } = useMessages('fault');
  if (!removal || removal.failed.length === 0) return null;
  return (
    <Alert color="red" variant="light" title={t.partlyRemoved} role="alert">
      <Stack component="ul" gap={3}>
        {removal.failed.map(({ tag, code, reason }) => (
          <li key={tag}>
            <code className={classes.code}>{tag}</code> {codes[code] ?? reason}
          </li>
        ))}
      </Stack>
    </Alert>
  );
}
