/** What a stage's run needs of the world, as small as it can be; stage-ports.ts fills it in. */
import type { Progress, Stage, StagingJob } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';

/** What the pipeline needs of the store. A write with a fence that is no longer the row's answers false. */
export interface JobRows {
  begin(id: string, stage: Stage, workerId: string, storageId: string): Promise<StagingJob | null>;
  find(id: string): Promise<StagingJob | null>;
  /** With the audit event of the transition, in one transaction. */
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
