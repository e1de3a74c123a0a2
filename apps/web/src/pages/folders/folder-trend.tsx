/** The chart of a folder or of one of its repositories; loaded apart from their pages. */
import { Skeleton } from '@mantine/core';
import { useAnswer } from '../../api/api.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { FindingDaysPanel } from '../vulnerabilities/trends/finding-days-panel.tsx';
import classes from './folders.module.css';

export interface FolderTrendProps {
  folder: string;
  /** Absent: all of the folder. */
  repository?: string;
}

export default function FolderTrend({ folder, repository }: FolderTrendProps) {
  const trend = useAnswer('folders.getFolderTrend', {
    params: { folder_id: folder },
    query: { ...(repository !== undefined && { repository }) },
  });
  if (trend.data) return <FindingDaysPanel days={trend.data.per_day} />;
  if (trend.isError) return <FaultView error={trend.error} retry={() => void trend.refetch()} />;
  return <Skeleton className={classes.trendSkeleton} radius="md" />;
}
