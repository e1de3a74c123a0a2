/**
 * Server-sent events of the caller's jobs. A `job` event carries the row as it is now, a `progress`
 * event counters.
 */
import { type JobEvent, JobProgress } from '@portcullis/contract';
import type { Principal, StagingJob } from '@portcullis/domain';
import type { ProgressEvent } from '@portcullis/events';
import type { Request, Response } from 'express';
import { presentJobSummary } from './present.ts';
import type { StreamLimit } from './stream-limit.ts';

export interface EventPorts {
  subscribe(options: { since: string | null; signal: AbortSignal }): AsyncIterable<ProgressEvent>;
  findJob(id: string): Promise<StagingJob | null>;
  /** The principal now; null after its session, token or account has ended. */
  current(principal: Principal): Promise<Principal | null>;
  streams: StreamLimit;
  /** Ends all streams when the process stops. */
  stopping: AbortSignal;
}

/** Proxies close connections that are idle for a minute. */
const BEAT_MS = 5_000;
/** How soon a stream ends after its session, token or account; cached while nothing changes. */
const CHECK_MS = 1_000;

export async function streamEvents(
  request: Request,
  response: Response,
  principal: Principal,
  ports: EventPorts,
): Promise<void> {
  const leave = ports.streams.take(principal.id);
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const signal = AbortSignal.any([closed.signal, ports.stopping]);
  let reader = principal;
  const beats = setInterval(() => response.write(': beat\n\n'), BEAT_MS);
  const checks = setInterval(() => void check(), CHECK_MS);

  /** An unavailable database ends no stream. */
  async function check(): Promise<void> {
    const now = await ports.current(reader).catch(() => reader);
    if (now) reader = now;
    else closed.abort();
  }

  try {
    open(response);
    for await (const event of ports.subscribe({
      since: request.get('last-event-id') ?? null,
      signal,
    })) {
      if (event.ownerId !== reader.id && !reader.isAdmin) continue;
      const shown = await jobEvent(event, ports);
      if (shown) await write(response, frame(event.id, shown), signal);
    }
  } finally {
    clearInterval(beats);
    clearInterval(checks);
    leave();
    response.end();
  }
}

function open(response: Response): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write('retry: 2000\n\n');
}

/** Null for counters in the format of another version. */
async function jobEvent(
  { kind, jobId, data }: ProgressEvent,
  ports: Pick<EventPorts, 'findJob'>,
): Promise<JobEvent | null> {
  if (kind === 'progress') {
    const counters = JobProgress.safeParse(data);
    return counters.success ? { event: 'progress', data: counters.data } : null;
  }
  const job = await ports.findJob(jobId);
  return {
    event: 'job',
    data: job ? presentJobSummary(job) : { job_id: jobId, deleted: true },
  };
}

function frame(id: string, { event, data }: JobEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Waits for a slow reader instead of buffering. */
async function write(response: Response, text: string, signal: AbortSignal): Promise<void> {
  if (response.write(text) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    response.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
