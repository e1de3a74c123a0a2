/** Keeps the place of the chart until it is loaded. */
import { Skeleton } from '@mantine/core';
import { loadedPart } from '../../kit/loaded-part.tsx';
import classes from './folders.module.css';

export const LazyTrend = loadedPart(
  () => import('./folder-trend.tsx'),
  <Skeleton className={classes.trendSkeleton} radius="md" />,
);
