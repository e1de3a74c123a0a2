/** The retention panel of a folder, in a separate bundle that is loaded with the page. */
import { loadedPart } from '../../../kit/loaded-part.tsx';
import { RetentionSkeleton } from './retention-skeleton.tsx';

export const LazyRetention = loadedPart(
  () => import('./retention-panel.tsx'),
  <RetentionSkeleton />,
);
