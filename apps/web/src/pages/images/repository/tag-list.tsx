/** The tags of a repository. Of other registries only the names are known. */
import { Box } from '@mantine/core';
import type { ImageTag } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { compareChoices } from '@portcullis/domain/tag-order';
import { TAG_STANDINGS } from '@portcullis/domain/tag-standing';
import { IconShieldSearch, IconTrash } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useBulkNotice } from '../../../kit/action/bulk-notice.tsx';
import { mergedResult } from '../../../kit/action/bulk-steps.ts';
import { useDelayedRequests } from '../../../kit/action/delayed-requests.tsx';
import { NoMatch } from '../../../kit/layout/empty-state.tsx';
import { FilterBar } from '../../../kit/list/filter-bar.tsx';
import { FilterSelect } from '../../../kit/list/filter-select.tsx';
import type { SelectableList } from '../../../kit/list/list.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import { useSteady } from '../../../kit/steady.ts';
import { LazyTrend } from '../../folders/lazy-trend.tsx';
import { ImageDrawer } from '../detail/image-drawer.tsx';
import { tagRemovals } from '../removal/tag-removals.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { useImageScans } from '../standing/image-scans.tsx';
import { useFolder, useWriteRefusal } from '../write-refusal.ts';
import { namingKept } from './kept-tags.ts';
import { useTagColumns } from './tag-columns.tsx';
import { TAG_FILTER } from './tag-filter.ts';

const TAGS = defineList({
  operation: 'images.listImageTags',
  filter: TAG_FILTER,
  keyOf: ({ tag }) => tag,
  nameOf: ({ tag }) => tag,
});

/** The number of tags from which a filter is shown. */
const MANY = 8;

const byChoice = (tags: ImageTag[]) =>
  tags.toSorted((one, other) => compareChoices(one.tag, other.tag));

function useTags({ registryId, repository }: RepositoryLocation, isJudged: boolean) {
  const query = { repository, limit: 100 };
  return useList(TAGS, {
    params: { registry_id: registryId },
    query: isJudged ? query : { ...query, standing: undefined, sort: undefined },
    keyOf: useCallback(
      ({ tag }: ImageTag) => rowOfTag({ registryId, repository }, tag),
      [registryId, repository],
    ),
    ...(!isJudged && { arrange: byChoice }),
  });
}

export function TagList({ place }: { place: RepositoryLocation }) {
  const t = useMessages('images');
  const { anyVerdict, verdict, clear } = useMessages('filters');
  const isJudged = place.registryId === LOCAL_REGISTRY_ID;
  const list = useTags(place, isJudged);
  const { state, change, table, total, pages } = list;
  const open = useSteady((tag: string) => change({ tag }));
  const isLong = (total ?? table.rows.length) > MANY || pages.hasNextPage || list.isFiltered;
  const filters = isLong && (
    <FilterBar list={list} search={t.filterTags} saved={isJudged ? 'tags' : 'saved-registry-tags'}>
      {isJudged && (
        <FilterSelect
          label={verdict}
          values={TAG_STANDINGS}
          names={t.standings}
          value={state.standing}
          any={anyVerdict}
          onChange={(standing) => change({ standing })}
        />
      )}
    </FilterBar>
  );
  return (
    <>
      <ListView
        list={{ ...list, table: { ...table, sorting: isJudged ? table.sorting : undefined } }}
        columns={useTagColumns(place, table.rows, open)}
        words={{ more: t.more, noMatchTitle: t.noTagMatches }}
        count={total === null && pages.hasNextPage ? t.someTags : t.tagCount}
        head={filters}
        empty={<NoMatch title={t.noTagMatches} clear={clear} onClear={list.clear} />}
      >
        {(selectable) => <TagBar place={place} list={selectable} />}
      </ListView>
      {isJudged && pages.data !== undefined && (
        <Box mt="sm">
          <Trend repository={place.repository} />
        </Box>
      )}
      <ImageDrawer place={place} tag={state.tag} onClose={() => change({ tag: null })} />
    </>
  );
}

function Trend({ repository }: { repository: string }) {
  const folder = useFolder(repository);
  const isKnown = useAnswer('folders.listPullable').isSuccess;
  return isKnown && <LazyTrend folder={folder} repository={repository} />;
}

interface TagBarProps {
  place: RepositoryLocation;
  list: SelectableList<ImageTag>;
}

/** The actions for selected tags: deletion after a delay for undo, and scans. */
function TagBar({ place, list }: TagBarProps) {
  const t = useMessages('bulk');
  const { scan: scanLabel } = useMessages('rowActs');
  const remove = useRemoval(place);
  const refusal = useWriteRefusal(place);
  const { canScan, scan } = useImageScans();
  const scans = {
    label: scanLabel,
    icon: IconShieldSearch,
    run: (found: readonly ImageTag[]) => scan(oneOfEachDigest(found)),
  };
  return (
    <EntryBar
      list={list}
      acts={[
        ...(canScan ? [scans] : []),
        {
          label: t.remove,
          icon: IconTrash,
          danger: true,
          disabled: refusal !== null,
          run: (found) => remove(found.map(({ tag }) => tag)),
        },
      ]}
    />
  );
}

function useRemoval(place: RepositoryLocation): (tags: readonly string[]) => void {
  const { tags: pending } = useMessages('rowActs');
  const { keptTags } = useMessages('images');
  const start = useDelayedRequests();
  const report = useBulkNotice();
  return (tags) => {
    const requests = tagRemovals(place, tags);
    start({
      name: 'images.removeImageTags',
      requests,
      changes: 'images.listImageTags',
      hides: tags.map((tag) => rowOfTag(place, tag)),
      message: pending(tags.length),
      onResults: (results) =>
        report(
          namingKept(
            mergedResult(
              results,
              requests.map(({ body }) => body.tags.length),
            ),
            results,
            keptTags,
          ),
        ),
    });
  };
}

function oneOfEachDigest(tags: readonly ImageTag[]): ImageTag[] {
  return [...new Map(tags.map((each) => [each.digest, each])).values()];
}

/** The name of a tag among the rows of all lists. */
function rowOfTag({ registryId, repository }: RepositoryLocation, tag: string): string {
  return `${registryId}/${repository}:${tag}`;
}
