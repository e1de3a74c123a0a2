/** A list of the API with numbered pages, by the filter in the address. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, keyOf as queryKeyOf } from '../../api/api.ts';
import type { AnswerFor, OperationName, RequestFor } from '../../api/client.ts';
import { everyNumberedPage } from '../../api/every-page.ts';
import type { ListFilter } from './filter.ts';
import type { FilteredList } from './list.ts';
import { useFilter } from './use-filter.ts';

type RowOf<N extends OperationName> =
  AnswerFor<N> extends { items: readonly (infer T extends object)[] } ? T : never;

export interface NumberedPage<T> {
  items: readonly T[];
  total: number;
  total_pages: number;
  page_size: number;
}

interface NumberedList<N extends OperationName, S extends object> {
  operation: N;
  filter: ListFilter<S, Partial<RequestFor<N> extends { query?: infer Q } ? Q : never>>;
  pageSize: number;
  /** Milliseconds between requests. */
  refresh?: number;
  /** An order in which rows don't move between the pages while all of them are loaded. */
  steady: string;
}

export const defineNumberedList = <N extends OperationName, S extends object>(
  list: NumberedList<N, S>,
) => list;

interface Given<N extends OperationName, S> {
  params: RequestFor<N> extends { params: infer P } ? P : never;
  enabled(state: S): boolean;
  /** The same in each render. */
  keyOf(row: RowOf<N>): string;
  nameOf(row: RowOf<N>): string;
}

const NONE: readonly never[] = [];

export function useNumberedList<N extends OperationName, S extends { page: number }>(
  { operation, filter, pageSize, refresh, steady }: NumberedList<N, S>,
  { params, enabled, keyOf, nameOf }: Given<N, S>,
): FilteredList<RowOf<N>, S> & { data: NumberedPage<RowOf<N>> | undefined } {
  const { conditions, sorting, shared } = useFilter(filter);
  const load = (of: object) =>
    call(
      operation,
      ...([{ params, query: { ...conditions, ...of } }] as never),
    ) as Promise<unknown> as Promise<NumberedPage<RowOf<N>>>;
  const size = { page_size: pageSize };
  const pages = useQuery({
    queryKey: [...queryKeyOf(operation), { params, query: { ...conditions, ...size } }],
    queryFn: () => load(size),
    placeholderData: keepPreviousData,
    refetchInterval: refresh,
    enabled: enabled(shared.state),
  });
  const { data } = pages;
  const rows = data?.items ?? NONE;
  return {
    ...shared,
    data,
    pages,
    table: { rows, keyOf, nameOf, sorting },
    question: JSON.stringify([params, conditions]),
    total: data !== undefined && data.total > rows.length ? data.total : null,
    all: () => everyNumberedPage(keyOf, (page) => load({ ...page, sort: steady })),
  };
}
