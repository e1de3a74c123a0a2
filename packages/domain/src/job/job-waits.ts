/** Why and since when a queued job waits. */
import type { JobError, StagingJob } from './staging-job.ts';
import { nextStage } from './staging-job.ts';

/**
 * Faults of the disk of a worker or of the built-in registry. They say nothing about the image, so
 * an attempt that ends with one is not counted.
 */
const DISK_CODES: readonly string[] = ['DISK_RESERVE', 'DISK_UNWRITABLE', 'STORAGE_FULL'];

export function isDiskWait(code: string): boolean {
  return DISK_CODES.includes(code);
}

export const WAIT_REASONS = ['disk', 'registry', 'other'] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** Why a job was put off: for a disk, for a registry that it reads or writes, or otherwise. */
export function waitReason({ code, side }: Pick<JobError, 'code' | 'side'>): WaitReason {
  if (isDiskWait(code)) return 'disk';
  return side === null ? 'other' : 'registry';
}

/**
 * When the job was queued for its present stage. Attempts that were put off or handed back do not
 * change it. Null where the job waits for nothing.
 */
export function queuedSince({
  status,
  timeline,
}: Pick<StagingJob, 'status' | 'timeline'>): Date | null {
  const stage = nextStage({ status });
  if (stage === null) return null;
  const before = timeline.findLastIndex((entry) => nextStage(entry) !== stage);
  return timeline[before + 1]?.at ?? null;
}
