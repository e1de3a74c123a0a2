import { Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import type { ImageTag } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { compareChoices } from '@portcullis/domain/tag-order';
import { IconArrowsTransferUp, IconFilterOff, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { ask, keyOf, page } from '../../../api/api.ts';
import { useListPages } from '../../../api/list-pages.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ActionsMenu } from '../../../kit/action/actions-menu.tsx';
import { GuardedMenuItem } from '../../../kit/action/guarded-menu-item.tsx';
import { useHiddenRows } from '../../../kit/action/pending-acts.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { Breadcrumbs } from '../../../kit/layout/breadcrumbs.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { ListSkeleton } from '../../../kit/table/list-skeleton.tsx';
import { MoreButton } from '../../../kit/table/more-button.tsx';
import { useRowSelection } from '../../../kit/table/use-row-selection.ts';
import { folderPath } from '../../folders/folder-location.ts';
import { LazyTrend } from '../../folders/lazy-trend.tsx';
import { ImageDrawer } from '../detail/image-drawer.tsx';
import classes from '../images.module.css';
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
import {
  type RepositoryView,
  type TagConditions,
  tagOrderOf,
  tagQuery,
  useRepositoryView,
} from './repository-view.ts';
import { rowOfTag, TagBar } from './tag-bar.tsx';
import { TagFilters } from './tag-filters.tsx';
import { TagTable, tagKey } from './tag-table.tsx';

export function Component() {
  const { registryId = LOCAL_REGISTRY_ID, '*': repository = '' } = useParams();
  const place = { registryId, repository };
  const [view, setView] = useRepositoryView();
  return (
    <>
      <Way {...place} />
      <PageHead title={repository} documentTitle={repository}>
        <RepositoryActions place={place} />
      </PageHead>
      <ImageScans place={place}>
        <Tags place={place} view={view} onChange={setView} />
        <ImageDrawer place={place} tag={view.tag} onClose={() => setView({ tag: null })} />
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

function Trend({ repository }: { repository: string }) {
  const folder = useFolder(repository);
  const isKnown = useQuery(ask('folders.listPullable')).isSuccess;
  return isKnown && <LazyTrend folder={folder} repository={repository} />;
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

function useTags(
  { registryId, repository }: RepositoryLocation,
  { sort, ...conditions }: TagConditions & Pick<RepositoryView, 'sort'>,
) {
  const query = { repository, ...tagQuery(conditions), sort, limit: 100 };
  const request = { params: { registry_id: registryId }, query };
  return useListPages({
    queryKey: keyOf('images.listImageTags', request),
    queryFn: ({ pageParam }) =>
      page('images.listImageTags', { ...request, query: { ...request.query, cursor: pageParam } }),
    structuralSharing: false,
  });
}

/** The number of tags from which a filter is shown. */
const MANY = 8;

function byChoice(one: ImageTag, other: ImageTag): number {
  return compareChoices(one.tag, other.tag);
}

interface TagsProps {
  place: RepositoryLocation;
  view: RepositoryView;
  onChange(change: Partial<RepositoryView>): void;
}

function Tags({ place, view, onChange }: TagsProps) {
  const t = useMessages('images');
  const { registryId, repository } = place;
  const { sort } = view;
  // Of other registries only the names are known.
  const isSorted = registryId === LOCAL_REGISTRY_ID;
  const [q] = useDebouncedValue(view.q.trim(), 250);
  const conditions = { q, standing: isSorted ? view.standing : null };
  const tags = useTags(place, { ...conditions, sort });
  const hidden = useHiddenRows();
  const { data } = tags;
  const inOrder = useMemo(() => {
    const listed = (data?.pages ?? []).flatMap(({ items }) => items);
    return isSorted ? listed : listed.toSorted(byChoice);
  }, [data, isSorted]);
  const shown = useMemo(() => {
    const isHidden = ({ tag }: ImageTag) => hidden.has(rowOfTag({ registryId, repository }, tag));
    return hidden.size === 0 ? inOrder : inOrder.filter((tag) => !isHidden(tag));
  }, [inOrder, hidden, registryId, repository]);
  const selection = useRowSelection(shown, tagKey, JSON.stringify([place, conditions]));
  if (tags.isError && !tags.data)
    return <FaultView error={tags.error} retry={() => void tags.refetch()} />;
  if (!tags.data) return <ListSkeleton rows={6} />;
  const reported = tags.data.pages[0]?.total ?? null;
  const total = reported ?? shown.length;
  const isFiltered = view.q !== '' || conditions.standing !== null;
  return (
    <Stack gap="sm">
      {(total > MANY || tags.hasNextPage || isFiltered) && (
        <TagFilters isJudged={isSorted} view={view} onChange={onChange} />
      )}
      <div data-stale={tags.isPlaceholderData || undefined} className={classes.list}>
        {shown.length === 0 && !tags.hasNextPage ? (
          <NoMatch onClear={() => onChange({ q: '', standing: null })} />
        ) : (
          <TagTable
            place={place}
            tags={shown}
            sorting={
              isSorted
                ? { order: sort, onChange: (order) => onChange({ sort: tagOrderOf(order) }) }
                : undefined
            }
            selection={selection}
            onOpen={(tag) => onChange({ tag })}
          />
        )}
      </div>
      <MoreButton pages={tags}>{t.more}</MoreButton>
      {selection.ids.length > 0 && (
        <TagBar
          place={place}
          tags={shown}
          conditions={conditions}
          selection={selection}
          total={reported}
        />
      )}
      <Group justify="flex-end">
        <Text size="sm" c="dimmed" aria-live="polite">
          {reported === null && tags.hasNextPage ? t.someTags(total) : t.tagCount(total)}
        </Text>
      </Group>
      {place.registryId === LOCAL_REGISTRY_ID && <Trend repository={place.repository} />}
    </Stack>
  );
}

function NoMatch({ onClear }: { onClear(): void }) {
  const t = useMessages('images');
  const { clear } = useMessages('filters');
  return (
    <EmptyState icon={IconFilterOff} title={t.noTagMatches}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyState>
  );
}
