/** Shows the tags of a repository. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconArrowsTransferUp, IconTrash } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { ActionsMenu } from '../../../kit/action/actions-menu.tsx';
import { GuardedMenuItem } from '../../../kit/action/guarded-menu-item.tsx';
import { Breadcrumbs } from '../../../kit/layout/breadcrumbs.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { folderPath } from '../../folders/folder-location.ts';
import {
  listPath,
  type RepositoryLocation,
  transferPath,
  treePath,
} from '../repository-location.ts';
import { ImageScans } from '../standing/image-scans.tsx';
import { useRegistries } from '../use-registries.ts';
import { useFolder, useWriteRefusal } from '../write-refusal.ts';
import { RemoveRepositoryDialog } from './remove-repository-dialog.tsx';
import { TagList } from './tag-list.tsx';

export function Component() {
  const { registryId = LOCAL_REGISTRY_ID, '*': repository = '' } = useParams();
  const place = { registryId, repository };
  return (
    <>
      <Way {...place} />
      <PageHead title={repository} documentTitle={repository}>
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
      <Button
        component={Link}
        to={transferPath(place)}
        variant="default"
        leftSection={<IconArrowsTransferUp size={16} />}
      >
        {t.transfer}
      </Button>
      <ActionsMenu label={t.repositoryActions} width={260} page>
        <GuardedMenuItem refusal={refusal} danger icon={IconTrash} onClick={open}>
          {t.removeRepository}
        </GuardedMenuItem>
      </ActionsMenu>
      <RemoveRepositoryDialog place={place} opened={removing} onClose={close} />
    </>
  );
}
