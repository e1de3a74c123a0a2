/** Server-sent events of the caller's jobs. A `job` event carries the row as it is now, a `progress` event counters. */
import type { Principal, StagingJob } from '@portcullis/domain';
import type { ProgressEvent } from '@portcullis/events';
import type { Request, Response } from 'express';
import { presentJobSummary } from './present.ts';

export interface EventPorts {
  subscribe(options: { since: string | null; signal: AbortSignal }): AsyncIterable<ProgressEvent>;
  findJob(id: string): Promise<StagingJob | null>;
  /** Whether the caller's session still holds. */
  alive(principal: Principal): Promise<boolean>;
  /** Ends all streams when the process stops. */
  stopping: AbortSignal;
}

/** Proxies cut connections that are silent for a minute; a revoked session ends its streams as soon. */
const BEAT_MS = 15_000;

export async function streamEvents(
  request: Request,
  response: Response,
  principal: Principal,
  ports: EventPorts,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const signal = AbortSignal.any([closed.signal, ports.stopping]);
  const timer = setInterval(() => void beat(), BEAT_MS);

  async function beat(): Promise<void> {
    if (await ports.alive(principal).catch(() => true)) response.write(': beat\n\n');
    else closed.abort();
  }

  open(response);
  try {
    for await (const event of ports.subscribe({ since: request.get('last-event-id') ?? null, signal })) {
      if (event.ownerId !== principal.id && !principal.isAdmin) continue;
      await write(response, await render(event, ports), signal);
    }
  } finally {
    clearInterval(timer);
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

async function render({ id, kind, jobId, data }: ProgressEvent, ports: EventPorts): Promise<string> {
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
