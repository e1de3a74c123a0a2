/** Shows a query's data, a skeleton while it loads, or its error with a retry button. */

import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultView } from '../fault/fault.tsx';

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

export function ListSkeleton({
  rows = 6,
  height = 42,
}: {
  rows?: number;
  height?: number | string;
}) {
  return (
    <Stack gap={6} aria-busy="true">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}
