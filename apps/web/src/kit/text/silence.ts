/** How much of what is known to run was said by agents that are silent since. */
import type { RunningCounts } from '@portcullis/contract';

export function silenceOf({
  namespaces,
  silent_namespaces: silent,
}: Pick<RunningCounts, 'namespaces' | 'silent_namespaces'>): 'none' | 'some' | 'all' {
  if (silent === 0) return 'none';
  return silent < namespaces ? 'some' : 'all';
}
