/** In how many namespaces of how many clusters images run. */
import type { RunningCounts } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';

type Counts = Pick<RunningCounts, 'namespaces' | 'clusters'>;

export function useRunningText(): (places: Counts) => string {
  const t = useMessages('running');
  return ({ namespaces, clusters }) => t.places(namespaces, clusters);
}

/** Nothing where none is known: that does not say that it runs nowhere. */
export function RunningCount({ running }: { running: Counts | null }) {
  const text = useRunningText();
  return running === null ? null : text(running);
}
