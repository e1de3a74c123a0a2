/** Refetches lists that are loaded page by page, after a change that the page was told of. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';

const LOOK_MS = 50;

export async function refetchLists(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  if (isLoadingMore(queries, queryKey)) await furtherPagesLoaded(queries, queryKey);
  await queries.invalidateQueries({ queryKey });
}

/** Further pages may be on their way, which a refetch would cancel. */
export async function furtherPagesLoaded(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  while (isLoadingMore(queries, queryKey))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function isLoadingMore(queries: QueryClient, queryKey: QueryKey): boolean {
  const predicate = ({ state }: { state: { fetchMeta: { fetchMore?: unknown } | null } }) =>
    state.fetchMeta?.fetchMore !== undefined;
  return queries.isFetching({ queryKey, predicate }) > 0;
}
