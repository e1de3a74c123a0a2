/**
 * Where the image of a job is kept, and which queue its next stage goes to. A storage is one DATA_DIR: that of all workers
 * of a machine or a cluster, or of one worker alone.
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
 * A pull runs anywhere; a scan and a push run where the pull left the image. Null where nothing is left to do. A job
 * that was pulled before storages were told apart has none: the worker that takes it claims it for its own storage.
 */
export function queueOf(job: Stored): StageQueue | null {
  const stage = nextStage(job);
  return stage && { stage, storageId: stage === 'pull' ? null : job.storageId };
}

/** Whether a worker with this storage may run the stage. */
export function runsAt(job: Stored, storageId: string): boolean {
  const queue = queueOf(job);
  return queue !== null && (queue.storageId === null || queue.storageId === storageId);
}

/** The job after a stage: what a pull left is in the storage of the worker that pulled. */
export function keptAt(job: StagingJob, outcome: Outcome, storageId: string): StagingJob {
  return outcome.kind === 'pulled' ? { ...job, storageId } : job;
}

/** Whether what a storage has of a job can be removed: another one has it now. A pull may run here at this moment. */
export function isElsewhere(job: Stored, storageId: string): boolean {
  return job.storageId !== null && job.storageId !== storageId && nextStage(job) !== 'pull';
}

/** Workers tell that often that they use a storage. */
export const STORAGE_HEARTBEAT_MS = 15_000;
/** A storage of which no worker has told for so long has none that lives. */
export const STORAGE_LEASE_MS = 60_000;
/** Its jobs wait that much longer for a worker to return with it, and are then pulled again. */
export const STORAGE_GRACE_MS = 30_000;
