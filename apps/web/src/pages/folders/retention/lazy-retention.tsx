/** The retention panel of a folder, in a separate bundle that is loaded with the page. */
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
