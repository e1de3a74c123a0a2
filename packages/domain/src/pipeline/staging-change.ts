/** Steps that changes of a staging job consist of. Internal to this folder. */
import type { JobStatus } from '../job/job-status.ts';
import type { Push, StagingJob } from '../job/staging-job.ts';
import { STATUS_CHANGED, type TimelineEvent } from '../job/timeline.ts';

export const QUEUED = { pull: 'pull_queued', scan: 'scan_queued', push: 'push_queued' } as const;
export const RUNNING = { pull: 'pulling', scan: 'scanning', push: 'pushing' } as const;

/** The push that waits or runs. */
export function openPush({ pushes }: Pick<StagingJob, 'pushes'>): Push | undefined {
  const last = pushes.at(-1);
  return last?.status === 'queued' || last?.status === 'running' ? last : undefined;
}

export function withOpenPush(job: StagingJob, change: Partial<Push>): StagingJob {
  return openPush(job) ? withPush(job, change) : job;
}

export function withPush(job: StagingJob, change: Partial<Push>): StagingJob {
  const last = job.pushes.at(-1);
  return last ? { ...job, pushes: [...job.pushes.slice(0, -1), { ...last, ...change }] } : job;
}

/** Adds a fact to the timeline; the status stays. */
export function record(job: StagingJob, event: TimelineEvent, now: Date): StagingJob {
  return { ...job, timeline: [...job.timeline, { at: now, status: job.status, ...event }] };
}

export function move(
  job: StagingJob,
  status: JobStatus,
  now: Date,
  event: TimelineEvent = STATUS_CHANGED,
): StagingJob {
  return record({ ...job, status, updatedAt: now }, event, now);
}
