/** The repositories of a registry by pages, with a selection of those that may be deleted. */
import type { ImageRepository } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { type ReactNode, useCallback } from 'react';
import { createSearchParams, Navigate } from 'react-router';
import { isProblem } from '../../api/problem-error.ts';
import { type Format, type Messages, useMessages } from '../../i18n/messages.ts';
import type { StateOf } from '../../kit/list/list.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { defineNumberedList, useNumberedList } from '../../kit/list/use-numbered-list.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { IMAGE_FILTER } from './image-filter.ts';
import { OpenByName } from './open-by-name.tsx';
import { Pager } from './pager.tsx';
import { RepositoryBar } from './removal/repository-bar.tsx';
import { repositoryPath, rowOfRepository, splitName } from './repository-location.ts';
import { useWriteRights } from './write-refusal.ts';

const REPOSITORIES = defineNumberedList({
  operation: 'images.listImages',
  filter: IMAGE_FILTER,
  pageSize: 50,
  steady: 'name',
});

const repositoryName = ({ name }: ImageRepository): string => name;

type State = StateOf<typeof IMAGE_FILTER>;

/** @param isShown false where the registry is shown as a tree */
export function useRepositories(registryId: string, isShown: (state: State) => boolean) {
  return useNumberedList(REPOSITORIES, {
    params: { registry_id: registryId },
    enabled: isShown,
    keyOf: useCallback(
      ({ name: repository }: ImageRepository) => rowOfRepository({ registryId, repository }),
      [registryId],
    ),
    nameOf: repositoryName,
  });
}

interface RepositoryListProps {
  registryId: string;
  list: ReturnType<typeof useRepositories>;
  /** In place of no repositories at all. */
  empty: ReactNode;
}

export function RepositoryList({ registryId, list, empty }: RepositoryListProps) {
  const t = useMessages('images');
  const { isPending, some, refusalOf } = useWriteRights(registryId);
  const { state, data, table, pages } = list;
  const isLocal = registryId === LOCAL_REGISTRY_ID;
  const isIndexed = table.rows.some(({ tag_count }) => tag_count !== null);
  const columns = useRepositoryColumns(registryId, isIndexed);
  if (isProblem(pages.error, 'CATALOG_CLOSED')) return <OpenByName registryId={registryId} />;
  const last = data?.total_pages ?? 0;
  // All of the repositories of the page were deleted.
  if (data?.items.length === 0 && last > 0 && last < state.page) {
    const search = createSearchParams(IMAGE_FILTER.write(state, { page: last })).toString();
    return <Navigate to={{ search }} replace />;
  }
  return (
    <ListView
      key={registryId} // A question is about the registry that it was asked for.
      list={{
        ...list,
        pages: isPending ? { ...pages, data: undefined } : pages,
        table: { ...table, sorting: isIndexed ? table.sorting : undefined },
        total: isLocal ? list.total : null,
      }}
      columns={columns}
      refusalOf={refusalOf}
      words={t}
      selects={some}
      empty={empty}
      footer={<Pager list={list} exact={isLocal} />}
    >
      {(selectable) => (
        <RepositoryBar registryId={registryId} list={selectable} refusalOf={refusalOf} />
      )}
    </ListView>
  );
}

/** Of registries without an index only the names are known, in the order of the registry. */
const useRepositoryColumns = defineColumns(
  'images',
  (t, format, registryId: string, isIndexed: boolean): Column<ImageRepository>[] => [
    nameOf(t, registryId),
    ...(isIndexed ? factsOf(t, format) : []),
  ],
);

function nameOf(t: Messages['images'], registryId: string): Column<ImageRepository> {
  return {
    title: t.repository,
    sort: 'name',
    cell: ({ name: repository }) => (
      <RowName to={repositoryPath({ registryId, repository })}>
        <RepositoryName name={repository} />
      </RowName>
    ),
  };
}

function factsOf(t: Messages['images'], format: Format): Column<ImageRepository>[] {
  const number = `${table.number} ${table.quiet}`;
  return [
    {
      title: t.tagsColumn,
      sort: 'tag_count',
      descendsFirst: true,
      className: number,
      width: '110px',
      cell: ({ tag_count }) => tag_count !== null && t.tagCount(tag_count),
    },
    {
      title: t.size,
      sort: 'size',
      descendsFirst: true,
      className: number,
      width: '110px',
      cell: ({ size }) => size !== null && format.bytes(size),
    },
    timeColumn('updated_at', t.updated),
  ];
}

function RepositoryName({ name }: { name: string }) {
  const [prefix, last] = splitName(name);
  return (
    <>
      <span className={table.prefix}>{prefix}</span>
      <LongName>{last}</LongName>
    </>
  );
}
