/** The outline of a folder's page while it loads. */
import { Skeleton } from '@mantine/core';
import { PageHead } from '../../kit/layout/page-head.tsx';
import classes from './folders.module.css';

export function FolderSkeleton({ name }: { name: string }) {
  return (
    <div aria-busy="true">
      <PageHead title={name} description={<Skeleton height={20} width={260} mt={4} />} />
      <Skeleton className={classes.tilesSkeleton ?? ''} />
      <div className={classes.columns}>
        <Skeleton height={560} />
        <div className={classes.side}>
          <Skeleton height={170} />
          <Skeleton height={300} />
          <Skeleton height={420} />
        </div>
      </div>
    </div>
  );
}
