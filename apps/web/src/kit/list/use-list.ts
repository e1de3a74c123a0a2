/** A list of the API that is loaded page by page, by the filter in the address. */
import { useMemo } from 'react';
import { page, keyOf as queryKeyOf } from '../../api/api.ts';
import type { AnswerFor, AnswerPage, OperationName, RequestFor } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import { useListPages } from '../../api/list-pages.ts';
import type { ListFilter } from './filter.ts';
import type { FilteredList } from './list.ts';
import { useFilter } from './use-filter.ts';

type RowOf<N extends OperationName> =
  AnswerFor<N> extends readonly (infer T extends object)[] ? T : never;
type QueryFor<N extends OperationName> = RequestFor<N> extends { query?: infer Q } ? Q : never;
type ParamsFor<N extends OperationName> = RequestFor<N> extends { params: infer P } ? P : never;

interface ListDefinition<N extends OperationName, S extends object> {
  operation: N;
  filter: ListFilter<S, Partial<QueryFor<N>>>;
  keyOf(row: RowOf<N>): string;
  /** What a row is called by its checkbox. */
  nameOf?(row: RowOf<N>): string;
  /** Milliseconds between requests. */
  refresh?: number | ((rows: readonly RowOf<N>[]) => number);
}

/** Names what a list is of; a page shows it with `useList`. */
export const defineList = <N extends OperationName, S extends object>(list: ListDefinition<N, S>) =>
  list;

/** What depends on the page. */
interface Given<N extends OperationName, S extends object>
  extends Partial<Pick<ListDefinition<N, S>, 'keyOf' | 'nameOf' | 'refresh'>> {
  params?: ParamsFor<N>;
  /** Conditions that are not in the address. */
  query?: Partial<QueryFor<N>>;
  /** Of a list without an order in the API; the same in each render. */
  arrange?(rows: RowOf<N>[]): RowOf<N>[];
}

const asLoaded = <T>(rows: T[]): T[] => rows;

export function useList<N extends OperationName, S extends object>(
  list: ListDefinition<N, S>,
  given: Given<N, S> = {},
): FilteredList<RowOf<N>, S> & { query: Partial<QueryFor<N>> } {
  const { operation, filter } = list;
  const { keyOf, nameOf, refresh, params, arrange = asLoaded } = { ...list, ...given };
  const { conditions, sorting, shared } = useFilter(filter);
  const query = { ...conditions, ...given.query };
  const request = { ...(params && { params }), query };
  const load = (of: object) =>
    page(
      operation,
      ...([{ ...request, query: { ...query, ...of } }] as never),
    ) as Promise<unknown> as Promise<AnswerPage<RowOf<N>[]>>;
  const pages = useListPages({
    queryKey: [...queryKeyOf(operation), request, 'pages'],
    queryFn: ({ pageParam }) => load({ cursor: pageParam }),
    // Rows that are loaded again keep their identity; of long lists that costs more than it saves.
    structuralSharing: refresh !== undefined,
    refetchInterval:
      typeof refresh === 'function'
        ? ({ state: { data } }) => refresh(data?.pages.flatMap(({ items }) => items) ?? [])
        : refresh,
  });
  const { data } = pages;
  const rows = useMemo(
    () => arrange((data?.pages ?? []).flatMap(({ items }) => items)),
    [data, arrange],
  );
  return {
    ...shared,
    query,
    pages,
    table: { rows, keyOf, nameOf, sorting },
    question: JSON.stringify([params, query]),
    total: data?.pages[0]?.total ?? null,
    all: () => everyPage(load),
  };
}
