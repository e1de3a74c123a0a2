/** The mirror panel of a folder, in a separate bundle that is loaded with the page. */
import { loadedPart } from '../../../kit/loaded-part.tsx';

export const LazyMirror = loadedPart(() => import('./mirror-panel.tsx'));
