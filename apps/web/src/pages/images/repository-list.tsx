/** The repositories of a registry by pages, with a selection of those that may be deleted. */
import type { ImagePage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useMemo } from 'react';
import { useHiddenRows } from '../../kit/action/pending-acts.ts';
import { useRowSelection } from '../../kit/table/use-row-selection.ts';
import { type ImageFilter, repositoryOrderOf } from './image-filter.ts';
import classes from './images.module.css';
import { Pager } from './pager.tsx';
import { RepositoryBar } from './removal/repository-bar.tsx';
import { rowOfRepository } from './repository-location.ts';
import { RepositoryTable, repositoryKey } from './repository-table.tsx';
import type { WriteRights } from './write-refusal.ts';

interface RepositoryListProps {
  registryId: string;
  filter: ImageFilter;
  onFilter(change: Partial<ImageFilter>): void;
  found: ImagePage;
  /** It is of the filter before. */
  isStale: boolean;
  rights: WriteRights;
}

export function RepositoryList({ found, isStale, rights, ...props }: RepositoryListProps) {
  const { registryId, filter, onFilter } = props;
  const { refusalOf } = rights;
  const { items, total, page_size: pageSize } = found;
  const isLocal = registryId === LOCAL_REGISTRY_ID;
  const hidden = useHiddenRows();
  const shown = useMemo(
    () =>
      items.filter(({ name }) => !hidden.has(rowOfRepository({ registryId, repository: name }))),
    [items, hidden, registryId],
  );
  const removable = useMemo(
    () => shown.filter((each) => refusalOf(each) === null),
    [shown, refusalOf],
  );
  const { q, sort, page } = filter;
  const selection = useRowSelection(
    removable,
    repositoryKey,
    JSON.stringify([registryId, q, sort, page]),
  );
  return (
    <div data-stale={isStale || undefined} className={classes.list}>
      <RepositoryTable
        registryId={registryId}
        repositories={shown}
        sorting={{
          order: sort,
          onChange: (order) => onFilter({ sort: repositoryOrderOf(order) }),
        }}
        selection={rights.some ? selection : undefined}
        refusalOf={refusalOf}
      />
      <Pager
        page={page}
        pageSize={pageSize}
        shown={items.length}
        total={total}
        exact={isLocal}
        onPage={(next) => onFilter({ page: next })}
      />
      <RepositoryBar
        registryId={registryId}
        repositories={removable}
        refusalOf={refusalOf}
        search={q.trim()}
        selection={selection}
        total={isLocal && total > items.length ? total : null}
      />
    </div>
  );
}
