/** Retention rules, their previews and their runs as the API writes them. */
import type { FolderRetention, RetentionPreview, TagRetention } from '@portcullis/contract';
import type { RetentionRule } from '@portcullis/domain/retention';
import type { RetentionRun } from '@portcullis/store';
import type { KeptRetention, PreviewedRetention } from './service.ts';

export function presentRule(rule: RetentionRule | null): TagRetention | null {
  if (rule === null) return null;
  return { keep_newest: rule.keepNewest, keep_days: rule.keepDays, keep: [...rule.keep] };
}

export function ruleFrom({ keep_newest, keep_days, keep }: TagRetention): RetentionRule {
  return { keepNewest: keep_newest, keepDays: keep_days, keep };
}

export function presentRetention({ folder: { retention }, run }: KeptRetention): FolderRetention {
  // A run that waits or works ends with the rule.
  const isShown = run !== null && (retention !== null || !isOpen(run));
  return { retention: presentRule(retention), run: isShown ? presentRun(run) : null };
}

function isOpen({ state }: RetentionRun): boolean {
  return state === 'queued' || state === 'running';
}

function presentRun(run: RetentionRun): NonNullable<FolderRetention['run']> {
  return {
    state: run.state === 'queued' ? 'running' : run.state,
    requested_by: run.requestedBy,
    requested_at: run.requestedAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: isOpen(run) ? null : (run.finishedAt?.toISOString() ?? null),
    repositories: run.repositories,
    tags_kept: run.tagsKept,
    tags_removed: run.tagsRemoved,
    tags_failed: run.tagsFailed,
    error: isOpen(run) ? null : run.error,
  };
}

export function presentPreview(found: PreviewedRetention): RetentionPreview {
  return {
    repositories: found.repositories,
    tags_kept: found.tagsKept,
    tags_removed: found.tagsRemoved,
    removed: found.removed.map(({ repository, tag, digest, updatedAt }) => ({
      ...{ repository, tag, digest },
      updated_at: updatedAt.toISOString(),
    })),
    more: found.tagsRemoved > found.removed.length,
    complete: found.isComplete,
  };
}
