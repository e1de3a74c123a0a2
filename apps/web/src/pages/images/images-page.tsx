import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconFilterOff, IconPackages } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createSearchParams, Link, Navigate, useNavigate, useParams } from 'react-router';
import { ask } from '../../api/api.ts';
import { isProblem } from '../../api/problem-error.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { SavedFilterChips } from '../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { Segments } from '../../kit/form/segments.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { toggled } from '../../kit/list/toggled.ts';
import { ListSkeleton } from '../../kit/table/list-skeleton.tsx';
import { Administrators } from '../../session/contacts.tsx';
import { changedFilter, type ImageFilter, savedQuery, useImageFilter } from './image-filter.ts';
import classes from './images.module.css';
import { OpenByName } from './open-by-name.tsx';
import { RegistrySelect } from './registry-select.tsx';
import { RepositoryList } from './repository-list.tsx';
import { listPath } from './repository-location.ts';
import { ImageTree } from './tree/image-tree.tsx';
import { useImageTree } from './tree/use-image-tree.ts';
import { useWriteRights } from './write-refusal.ts';

const PAGE_SIZE = 50;
/** A search is shown as a list. */
const VIEWS = ['tree', 'list'] as const;

export function Component() {
  const t = useMessages('images');
  const { registryId = LOCAL_REGISTRY_ID } = useParams();
  const navigate = useNavigate();
  const [filter, setFilter] = useImageFilter();
  const isLocal = registryId === LOCAL_REGISTRY_ID;
  const isTree = isLocal && filter.q.trim() === '';
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <RegistrySelect value={registryId} onChange={(id) => void navigate(listPath(id))} />
      </PageHead>
      <Group component="search" gap="sm" mb="sm">
        <SearchField
          flex={1}
          label={t.search}
          value={filter.q}
          onChange={(text) => setFilter({ q: text })}
        />
        {isTree && (
          <Segments
            label={t.view}
            options={VIEWS.map((value) => ({ value, label: t.views[value] }))}
            value={filter.view}
            onChange={(view) => setFilter({ view })}
          />
        )}
        <div className={classes.saved}>
          <SavedFilterChips
            list={isLocal ? 'repositories' : 'saved-registry-repositories'}
            query={savedQuery(filter)}
          />
        </div>
      </Group>
      {isTree && filter.view === 'tree' ? (
        <Tree
          open={filter.open}
          onToggle={(path) => setFilter((latest) => ({ open: toggled(latest.open, path) }))}
        />
      ) : (
        <Repositories registryId={registryId} filter={filter} onFilter={setFilter} />
      )}
    </>
  );
}

interface TreeProps {
  open: string[];
  onToggle(path: string): void;
}

function Tree({ open, onToggle }: TreeProps) {
  const tree = useImageTree(open);
  const { items, total, error } = tree.top;
  if (error && items.length === 0) return <FaultView error={error} retry={tree.retry} />;
  if (total === undefined) return <ListSkeleton rows={8} />;
  if (total === 0) return <NothingReadable />;
  if (total === items.length && items.every(({ tag_count }) => tag_count === 0))
    return <NoImages />;
  return <ImageTree tree={tree} onToggle={onToggle} />;
}

interface RepositoriesProps {
  registryId: string;
  filter: ImageFilter;
  onFilter(change: Partial<ImageFilter>): void;
}

function useRepositories(registryId: string, { q, sort, page }: ImageFilter) {
  const [search] = useDebouncedValue(q.trim(), 250);
  const query = { search, sort, page, page_size: PAGE_SIZE };
  return useQuery({
    ...ask('images.listImages', { params: { registry_id: registryId }, query }),
    placeholderData: keepPreviousData,
  });
}

function Repositories({ registryId, filter, onFilter }: RepositoriesProps) {
  const repositories = useRepositories(registryId, filter);
  const rights = useWriteRights(registryId);
  if (isProblem(repositories.error, 'CATALOG_CLOSED'))
    return <OpenByName registryId={registryId} />;
  if (repositories.isError)
    return <FaultView error={repositories.error} retry={() => void repositories.refetch()} />;
  const { data, isPlaceholderData } = repositories;
  const isEmpty = data?.items.length === 0;
  if (!data || rights.isPending || (isEmpty && isPlaceholderData && filter.page > 1))
    return <ListSkeleton rows={8} />;
  if (isEmpty && data.total_pages > 0 && data.total_pages < filter.page)
    return <OtherPage filter={filter} page={data.total_pages} />;
  if (isEmpty)
    return <NoRepositories filter={filter} onFilter={onFilter} registryId={registryId} />;
  return (
    <RepositoryList
      key={registryId} // A question is about the registry that it was asked for.
      {...{ registryId, filter, onFilter, rights }}
      found={data}
      isStale={isPlaceholderData}
    />
  );
}

/** In place of a page all of whose repositories were deleted. */
function OtherPage({ filter, page }: { filter: ImageFilter; page: number }) {
  const search = createSearchParams(changedFilter(filter, { page }));
  return <Navigate to={{ search: search.toString() }} replace />;
}

function NoRepositories({ registryId, filter, onFilter }: RepositoriesProps) {
  const t = useMessages('images');
  if (filter.q === '' && filter.page === 1)
    return registryId === LOCAL_REGISTRY_ID ? <Nothing /> : <OpenByName registryId={registryId} />;
  return (
    <EmptyState icon={IconFilterOff} title={t.noMatchTitle} text={t.noMatchText}>
      <Button variant="default" onClick={() => onFilter({ q: '' })}>
        {t.clear}
      </Button>
    </EmptyState>
  );
}

/** In the list of all repositories. */
function Nothing() {
  const pullable = useQuery(ask('folders.listPullable'));
  return pullable.data?.length === 0 ? <NothingReadable /> : <NoImages />;
}

function NothingReadable() {
  const t = useMessages('images');
  return (
    <EmptyState icon={IconPackages} title={t.noneReadableTitle} text={t.noneReadableText}>
      <Administrators />
    </EmptyState>
  );
}

function NoImages() {
  const t = useMessages('images');
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
