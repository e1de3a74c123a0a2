/** What is known of a platform that an index lists and that is not here. */
import { isBlocked } from '../job/blocked-job.ts';
import { isSettled, type StagingJob } from '../job/staging-job.ts';

/**
 * `absent`: nothing is known, and the first pull of a mirror brings it in. `coming`: a job does.
 * `refused`: it did, and the gate blocks it. `failed`: it could not.
 */
export const ABSENT_PLATFORM_STATES = ['absent', 'coming', 'refused', 'failed'] as const;
export type AbsentPlatformState = (typeof ABSENT_PLATFORM_STATES)[number];

/** @param job the last one that was to bring it in */
export function absentPlatformState(
  job: Pick<StagingJob, 'status' | 'error' | 'verdict'> | null,
): AbsentPlatformState {
  if (job === null || job.status === 'cancelled') return 'absent';
  if (!isSettled(job.status)) return 'coming';
  if (isBlocked(job)) return 'refused';
  // What was pushed was removed again.
  return job.status === 'failed' ? 'failed' : 'absent';
}
