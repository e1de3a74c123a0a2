/** What an attempt needs from outside; `stage-ports.ts` provides it. */
import type { Progress, Stage, StagingJob } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';

/** The part of the store that the pipeline uses. A write with an outdated fence returns false. */
export interface JobRows {
  begin(id: string, stage: Stage, workerId: string, storageId: string): Promise<StagingJob | null>;
  find(id: string): Promise<StagingJob | null>;
  /** Writes the audit event of the transition in the same transaction. */
  save(job: StagingJob, fence: number, event?: AuditEvent | null): Promise<boolean>;
  saveProgress(id: string, fence: number, progress: Progress, push?: PushBytes): Promise<boolean>;
  renewLease(id: string, fence: number): Promise<{ held: boolean; cancelRequested: boolean }>;
}
export type PushBytes = { bytesDone: number; bytesTotal: number; bytesMounted: number };

export interface AttemptPorts {
  jobs: JobRows;
  now(): Date;
  log: Pick<Logger, 'child' | 'info' | 'warn'>;
  publishProgress(job: StagingJob): Promise<void>;
  leaseRenewalMs: number;
}
