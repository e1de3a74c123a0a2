/** The server-sent events of jobs and transfers, by the name in `event:`; `data:` is JSON. */
import { z } from 'zod';
import { Uuid } from './common.ts';
import { Job, ProgressView } from './staging-job.ts';
import { TransferView } from './transfer-view.ts';

const JobDeletion = z.strictObject({ job_id: Uuid, deleted: z.literal(true) });

export const JobProgress = z.strictObject({ job_id: Uuid, progress: ProgressView });
export type JobProgress = z.infer<typeof JobProgress>;

/** `job` carries the row as it is when the event is sent, without its findings. */
export const JOB_EVENTS = {
  job: z.union([Job, JobDeletion]),
  progress: JobProgress,
  /** The notifications of the account changed. */
  notifications: z.strictObject({}),
} as const;
export type JobEvents = { [E in keyof typeof JOB_EVENTS]: z.infer<(typeof JOB_EVENTS)[E]> };
export type JobEvent = {
  [E in keyof JobEvents]: { event: E; data: JobEvents[E] };
}[keyof JobEvents];

const TransferDeletion = z.strictObject({ transfer_id: Uuid, deleted: z.literal(true) });

/** `transfer` carries it as it is when the event is sent, without its jobs. */
export const TRANSFER_EVENTS = { transfer: z.union([TransferView, TransferDeletion]) } as const;
export type TransferEvent = {
  event: 'transfer';
  data: z.infer<typeof TRANSFER_EVENTS.transfer>;
};
