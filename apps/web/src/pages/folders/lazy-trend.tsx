/** Keeps the place of the chart until it is loaded. */
import { Skeleton } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';
import classes from './folders.module.css';

const FolderTrend = lazy(() => import('./folder-trend.tsx'));

export function LazyTrend(props: ComponentProps<typeof FolderTrend>) {
  return (
    <Suspense fallback={<Skeleton className={classes.trendSkeleton} radius="md" />}>
      <FolderTrend {...props} />
    </Suspense>
  );
}
