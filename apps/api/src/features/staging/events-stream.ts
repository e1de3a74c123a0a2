/** Server-sent events of the caller's jobs. A `job` event carries the row as it is now, a `progress` event counters. */
import type { Principal, StagingJob } from '@portcullis/domain';
import type { ProgressEvent } from '@portcullis/events';
import type { Request, Response } from 'express';
import { presentJobSummary } from './present.ts';
import type { StreamPlaces } from './stream-places.ts';

export interface EventPorts {
  subscribe(options: { since: string | null; signal: AbortSignal }): AsyncIterable<ProgressEvent>;
  findJob(id: string): Promise<StagingJob | null>;
  /** The caller as of now; null once what vouched for them is over. */
  current(principal: Principal): Promise<Principal | null>;
  places: StreamPlaces;
  /** Ends all streams when the process stops. */
  stopping: AbortSignal;
}

/** Proxies cut connections that are silent for a minute. */
const BEAT_MS = 15_000;
/** A stream ends this soon after its session, token or account; the answer is in memory while nothing changes. */
const CHECK_MS = 1_000;

export async function streamEvents(
  request: Request,
  response: Response,
  principal: Principal,
  ports: EventPorts,
): Promise<void> {
  const leave = ports.places.take(principal.id);
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const signal = AbortSignal.any([closed.signal, ports.stopping]);
  let reader = principal;
  const beats = setInterval(() => response.write(': beat\n\n'), BEAT_MS);
  const checks = setInterval(() => void check(), CHECK_MS);

  /** While nobody can say, it goes on: a database that is away for a moment ends no stream. */
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
      await write(response, await render(event, ports), signal);
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

async function render(
  { id, kind, jobId, data }: ProgressEvent,
  ports: EventPorts,
): Promise<string> {
  const shown = kind === 'job' ? await jobView(jobId, ports) : data;
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(shown)}\n\n`;
}

async function jobView(id: string, ports: EventPorts): Promise<object> {
  const job = await ports.findJob(id);
  return job ? presentJobSummary(job) : { job_id: id, deleted: true };
}

/** A reader that doesn't read is waited for, not buffered for. */
async function write(response: Response, text: string, signal: AbortSignal): Promise<void> {
  if (response.write(text) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    response.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
