/** Retention rules, their previews and their runs as the API writes them. */
import type { RetentionRun } from '@portcullis/store';
import type { KeptRetention, PreviewedRetention } from './service.ts';

export function presentRetention({ folder: { retention }, run }: KeptRetention) {
  // A run that waits or works ends with the rule.
  const isShown = run !== null && (retention !== null || !isOpen(run));
  return { retention, run: isShown ? presentRun(run) : null };
}

function isOpen({ state }: RetentionRun): boolean {
  return state === 'queued' || state === 'running';
}

function presentRun(run: RetentionRun) {
  return {
    ...run,
    state: run.state === 'queued' ? ('running' as const) : run.state,
    finishedAt: isOpen(run) ? null : run.finishedAt,
    error: isOpen(run) ? null : run.error,
  };
}

export function presentPreview(found: PreviewedRetention) {
  const more = found.tagsRemoved > found.removed.length;
  return { ...found, more, complete: found.isComplete };
}
