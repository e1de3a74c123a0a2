/** Refetches what is shown and failed for want of the server, once it can be reached again. */
import type { QueryClient } from '@tanstack/react-query';
import { isTransient } from '../api/query-client.ts';

export function refetchFailed(queries: QueryClient): Promise<void> {
  return queries.refetchQueries(
    // What was refused or is missing would flicker while it is refetched in vain.
    { type: 'active', predicate: ({ state: { error } }) => isTransient(error) },
    { cancelRefetch: false },
  );
}
