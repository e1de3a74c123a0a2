/** The server-sent events of `GET /staging/events`, by the name in `event:`; `data:` is JSON. */
import { z } from 'zod';
import { Uuid } from './common.ts';
import { Job, ProgressView } from './staging-job.ts';

const JobDeletion = z.strictObject({ job_id: Uuid, deleted: z.literal(true) });

export const JobProgress = z.strictObject({ job_id: Uuid, progress: ProgressView });
export type JobProgress = z.infer<typeof JobProgress>;

/** `job` carries the row as it is when the event is sent, without its findings. */
export const JOB_EVENTS = { job: z.union([Job, JobDeletion]), progress: JobProgress } as const;
export type JobEvents = { [E in keyof typeof JOB_EVENTS]: z.infer<(typeof JOB_EVENTS)[E]> };
export type JobEvent = {
  [E in keyof JobEvents]: { event: E; data: JobEvents[E] };
}[keyof JobEvents];
