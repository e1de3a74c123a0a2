/**
 * Server-sent events of the caller's jobs. A `job` event carries the row as it is now, a `progress`
 * event counters, and a `notifications` event says that those of the account changed.
 */
import { Job, type JobEvent, JobProgress, toWire } from '@portcullis/contract';
import type { Principal, StagingJob } from '@portcullis/domain';
import type { ProgressEvent } from '@portcullis/events';
import { presentChangedJob } from './present.ts';
import {
  type EventSubscriber,
  type ReadableChanges,
  type SentEvent,
  type StreamPorts,
  serveEvents,
} from './serve-events.ts';
import type { JobStandings } from './standings/job-standings.ts';

export interface EventPorts extends StreamPorts {
  findJob(id: string): Promise<StagingJob | null>;
  standingOf: JobStandings['of'];
}

export async function streamEvents(subscriber: EventSubscriber, ports: EventPorts): Promise<void> {
  await serveEvents(subscriber, ports, (readable) => jobEvents(readable, ports));
}

async function* jobEvents(
  { changes, reader }: ReadableChanges,
  ports: Pick<EventPorts, 'findJob' | 'standingOf' | 'reach'>,
): AsyncGenerator<SentEvent> {
  for await (const change of changes) {
    const { kind, jobId } = change;
    if (kind === 'transfer') continue;
    if (kind !== 'notifications' && !(await ports.reach.job(reader(), jobId))) continue;
    const event = await jobEvent(change, reader(), ports);
    if (event) yield { id: change.id, ...event };
  }
}

/** Null for counters in the format of another version. */
async function jobEvent(
  { kind, jobId, data }: ProgressEvent,
  reader: Principal,
  { findJob, standingOf }: Pick<EventPorts, 'findJob' | 'standingOf'>,
): Promise<JobEvent | null> {
  if (kind === 'progress') {
    const counters = JobProgress.safeParse(data);
    return counters.success ? { event: 'progress', data: counters.data } : null;
  }
  if (kind === 'notifications') return { event: 'notifications', data: {} };
  const job = await findJob(jobId);
  if (!job) return { event: 'job', data: { job_id: jobId, deleted: true } };
  const standing = await standingOf(reader, job);
  return { event: 'job', data: toWire(Job, presentChangedJob(job, standing)) };
}
