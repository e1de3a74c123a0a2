import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconFilterOff, IconPackages, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { ask } from '../../api/api.ts';
import { isProblem } from '../../api/problem-error.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FaultView } from '../../components/fault.tsx';
import { ListSkeleton } from '../../components/list-skeleton.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { FolderRail } from './folder-rail.tsx';
import { type ImageFilter, useImageFilter } from './image-filter.ts';
import classes from './images.module.css';
import { useImagesWords } from './images-words.ts';
import { OpenByName } from './open-by-name.tsx';
import { Pager } from './pager.tsx';
import { listPath } from './place.ts';
import { RegistrySelect } from './registry-select.tsx';
import { RepositoryTable } from './repository-table.tsx';

const PAGE_SIZE = 50;

export function Component() {
  const t = useImagesWords();
  const { registryId = LOCAL_REGISTRY_ID } = useParams();
  const navigate = useNavigate();
  const [filter, setFilter] = useImageFilter();
  const local = registryId === LOCAL_REGISTRY_ID;
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <RegistrySelect value={registryId} onChange={(id) => void navigate(listPath(id))} />
      </PageHead>
      <div className={local ? classes.split : undefined}>
        {local && <FolderRail chosen={filter.folder} onChoose={(folder) => setFilter({ folder })} />}
        <div className={classes.main}>
          <TextInput
            mb="sm"
            type="search"
            data-search
            aria-label={t.search}
            placeholder={t.search}
            leftSection={<IconSearch size={16} aria-hidden="true" />}
            value={filter.q}
            onChange={(event) => setFilter({ q: event.currentTarget.value })}
          />
          <Repositories registryId={registryId} filter={filter} onFilter={setFilter} />
        </div>
      </div>
    </>
  );
}

interface RepositoriesProps {
  registryId: string;
  filter: ImageFilter;
  onFilter(change: Partial<ImageFilter>): void;
}

function useRepositories(registryId: string, { q, folder, page }: ImageFilter) {
  const [search] = useDebouncedValue(q.trim(), 250);
  const query = { search, page, page_size: PAGE_SIZE, ...(folder !== null && { folder }) };
  return useQuery({
    ...ask('images.listImages', { params: { registry_id: registryId }, query }),
    placeholderData: keepPreviousData,
  });
}

function Repositories({ registryId, filter, onFilter }: RepositoriesProps) {
  const repositories = useRepositories(registryId, filter);
  if (isProblem(repositories.error, 'CATALOG_CLOSED')) return <OpenByName registryId={registryId} />;
  if (repositories.isError)
    return <FaultView error={repositories.error} retry={() => void repositories.refetch()} />;
  if (!repositories.data) return <ListSkeleton rows={8} />;
  const { items, total } = repositories.data;
  if (items.length === 0)
    return <NoRepositories filter={filter} onFilter={onFilter} registryId={registryId} />;
  return (
    <div data-stale={repositories.isPlaceholderData || undefined} className={classes.list}>
      <RepositoryTable registryId={registryId} repositories={items} />
      <Pager
        page={filter.page}
        pageSize={PAGE_SIZE}
        shown={items.length}
        total={total}
        exact={registryId === LOCAL_REGISTRY_ID}
        onPage={(page) => onFilter({ page })}
      />
    </div>
  );
}

function NoRepositories({ registryId, filter, onFilter }: RepositoriesProps) {
  const t = useImagesWords();
  const local = registryId === LOCAL_REGISTRY_ID;
  const readable = useQuery({ ...ask('folders.listPullable'), enabled: local }).data;
  if (filter.q !== '' || filter.folder !== null || filter.page > 1)
    return (
      <EmptyState icon={IconFilterOff} title={t.noMatchTitle} text={t.noMatchText}>
        <Button variant="default" onClick={() => onFilter({ q: '', folder: null })}>
          {t.clear}
        </Button>
      </EmptyState>
    );
  if (!local) return <OpenByName registryId={registryId} />;
  if (readable?.length === 0)
    return <EmptyState icon={IconPackages} title={t.noneReadableTitle} text={t.noneReadableText} />;
  return (
    <EmptyState icon={IconPackages} title={t.emptyTitle} text={t.emptyText}>
      <Group gap="sm">
        <Button component={Link} to="/staging/new">
          {t.emptyAction}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        <code>docker push {window.location.host}/…</code>
      </Text>
    </EmptyState>
  );
}
