/** Shows a query's data, a skeleton while it loads, or its error with a retry button. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultView } from '../fault/fault.tsx';
import { ListSkeleton } from '../table/list-skeleton.tsx';

interface QueryViewProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'refetch'>;
  /** The number of skeleton rows. */
  rows?: number;
  rowHeight?: number | string;
  children(data: T): ReactNode;
}

export function QueryView<T>({ query, rows = 5, rowHeight = 46, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <FaultView error={query.error} retry={() => void query.refetch()} />;
  return <ListSkeleton rows={rows} height={rowHeight} />;
}
