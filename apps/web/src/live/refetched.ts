/** Refetches shown lists after a change, until they have it. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Another change cancels the fetch of this one, whose promise ends then; the rows of that moment
 * are of before both.
 */
export async function refetched(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const shown = { queryKey, type: 'active' } as const;
  await queries.invalidateQueries({ queryKey });
  while (queries.isFetching(shown) > 0)
    await queries.refetchQueries(shown, { cancelRefetch: false });
}
