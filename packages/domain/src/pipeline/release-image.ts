/** Removing the images of finished jobs from DATA_DIR, to make room for others. */
import type { JobStatus } from '../job/job-status.ts';
import type { StagingJob } from '../job/staging-job.ts';
import { record } from './staging-change.ts';

/**
 * Jobs whose image may be removed. One that is staged is not among them: it waits for the decision
 * of a person, and its source may no longer have the image.
 */
export const FINISHED_STATUSES = [
  'pushed',
  'failed',
  'cancelled',
] as const satisfies readonly JobStatus[];

/**
 * The job without its image; null where it may not be removed, or was already. A push or a scan of
 * it reads the image from its source again, by digest.
 */
export function releaseImage(job: StagingJob, now: Date): StagingJob | null {
  const isFinished = FINISHED_STATUSES.some((status) => status === job.status);
  if (!isFinished || job.imageReleasedAt !== null) return null;
  // A `complete` pull left the rest of an image that is gone now.
  const pullMode = job.pullMode === 'complete' ? ('lazy' as const) : job.pullMode;
  return record({ ...job, pullMode, imageReleasedAt: now }, { kind: 'image_released' }, now);
}
