/** When each stage of a job waited and worked, from its timeline. */
import type { Stage } from './job-status.ts';
import type { TimelineEntry } from './timeline.ts';

/** One run of a stage; a stage that is tried again has several. */
export interface StageTime {
  stage: Stage;
  startedAt: Date;
  /** From the end of what came before to the begin of this run, in milliseconds. */
  waitedMs: number;
  /** Null while it runs. */
  workedMs: number | null;
}

const RUNNING: Partial<Record<TimelineEntry['status'], Stage>> = {
  pulling: 'pull',
  scanning: 'scan',
  pushing: 'push',
};
const QUEUED = ['pull_queued', 'scan_queued', 'push_queued'];

/** In their order. */
export function stageTimes(timeline: readonly TimelineEntry[]): StageTime[] {
  const changes = timeline.filter(({ status }, nth) => status !== timeline[nth - 1]?.status);
  return changes.flatMap(({ status, at }, nth) => {
    const stage = RUNNING[status];
    if (stage === undefined) return [];
    const before = changes[nth - 1];
    const next = changes[nth + 1];
    const waited = before && QUEUED.includes(before.status) ? before.at : at;
    return {
      stage,
      startedAt: at,
      waitedMs: at.getTime() - waited.getTime(),
      workedMs: next ? next.at.getTime() - at.getTime() : null,
    };
  });
}
