/** Refetches lists that are loaded page by page, after a change that the page was told of. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';

const LOOK_MS = 50;

/** Waits for further pages that are being loaded: a refetch would cancel them. */
export async function refetchLists(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  while (isLoadingMore(queries, queryKey))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await queries.invalidateQueries({ queryKey });
}

function isLoadingMore(queries: QueryClient, queryKey: QueryKey): boolean {
  const predicate = ({ state }: { state: { fetchMeta: { fetchMore?: unknown } | null } }) =>
    state.fetchMeta?.fetchMore !== undefined;
  return queries.isFetching({ queryKey, predicate }) > 0;
}
