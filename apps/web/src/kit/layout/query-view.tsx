/** What a query gave; a skeleton until then, and words with a way on where it failed. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultView } from '../fault/fault.tsx';
import { ListSkeleton } from '../table/list-skeleton.tsx';

interface QueryViewProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'refetch'>;
  /** How many grey rows stand for what comes. */
  rows?: number;
  rowHeight?: number;
  children(data: T): ReactNode;
}

export function QueryView<T>({ query, rows = 5, rowHeight = 46, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <FaultView error={query.error} retry={() => void query.refetch()} />;
  return <ListSkeleton rows={rows} height={rowHeight} />;
}
