/** Keeps the place of the retention of a folder until it is loaded. */
import { type ComponentProps, lazy, Suspense } from 'react';
import { RetentionSkeleton } from './retention-skeleton.tsx';

const RetentionPanel = lazy(() => import('./retention-panel.tsx'));

export function LazyRetention(props: ComponentProps<typeof RetentionPanel>) {
  return (
    <Suspense fallback={<RetentionSkeleton />}>
      <RetentionPanel {...props} />
    </Suspense>
  );
}
