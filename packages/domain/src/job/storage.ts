/**
 * Storages: which DATA_DIR has the image of a job, and which queue its next stage goes to. A
 * storage is shared by the workers of a machine or cluster, or belongs to one worker.
 */
import type { Stage } from './job-status.ts';
import { nextStage, type Outcome, type StagingJob } from './staging-job.ts';

export interface StageQueue {
  stage: Stage;
  /** Null: any worker may take it. */
  storageId: string | null;
}

type Stored = Pick<StagingJob, 'status' | 'storageId'>;

/**
 * A pull may run anywhere; scan and push need the storage that the pull wrote to. Null where the
 * job has no next stage. A job of a restored backup has no storage: the worker that takes it claims
 * it.
 */
export function queueOf(job: Stored): StageQueue | null {
  const stage = nextStage(job);
  return stage && { stage, storageId: stage === 'pull' ? null : job.storageId };
}

/** Whether a worker with this storage may run the next stage. */
export function runsAt(job: Stored, storageId: string): boolean {
  const queue = queueOf(job);
  return queue !== null && (queue.storageId === null || queue.storageId === storageId);
}

/** The job after a stage: a pull leaves the image in the storage of its worker. */
export function keptAt(job: StagingJob, outcome: Outcome, storageId: string): StagingJob {
  return outcome.kind === 'pulled' ? { ...job, storageId } : job;
}

/**
 * Whether another storage has the image, so that this one may remove its copy. Not during a pull,
 * which may run here.
 */
export function isElsewhere(job: Stored, storageId: string): boolean {
  return job.storageId !== null && job.storageId !== storageId && nextStage(job) !== 'pull';
}

/** Interval of the heartbeat of a storage. */
export const STORAGE_HEARTBEAT_MS = 15_000;
/** Without a heartbeat for so long, no live worker has the storage. */
export const STORAGE_LEASE_MS = 60_000;
/** Additional time for a worker to return with it, before its jobs are pulled again. */
export const STORAGE_GRACE_MS = 30_000;
