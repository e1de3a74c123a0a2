/** What a query gave; a skeleton until then, and words with a way on where it failed. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultView } from './fault.tsx';
import { ListSkeleton } from './list-skeleton.tsx';

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'refetch'>;
  /** How many grey rows stand for what comes. */
  rows?: number;
  rowHeight?: number;
  children(data: T): ReactNode;
}

export function Loaded<T>({ query, rows = 5, rowHeight = 46, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <FaultView error={query.error} retry={() => void query.refetch()} />;
  return <ListSkeleton rows={rows} height={rowHeight} />;
}
