import { EventEmitter } from 'node:events';
import { JOB_EVENTS, type JobEvent } from '@portcullis/contract';
import type { ProgressEvent } from '@portcullis/events';
import { samplePrincipal } from '@portcullis/testing/samples';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { type EventPorts, streamEvents } from './events-stream.ts';
import type { EventSubscriber } from './serve-events.ts';
import { createStreamLimit } from './stream-limit.ts';

class FakeResponse extends EventEmitter {
  readonly written: string[] = [];
  writeHead(): this {
    return this;
  }
  write(text: string): boolean {
    this.written.push(text);
    return true;
  }
  end(): void {}
}

const ports: EventPorts = {
  async *subscribe({ signal }) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
  findJob: async () => null,
  standingOf: async () => null,
  current: async (principal) => principal,
  reach: { job: async () => true, transfer: async () => true },
  streams: createStreamLimit(2),
  stopping: new AbortController().signal,
};

function subscriberOf(id: string, response: FakeResponse, signal: AbortSignal): EventSubscriber {
  return {
    request: { get: () => undefined } as unknown as Request,
    response: response as unknown as Response,
    principal: samplePrincipal({ id, username: id }),
    signal,
  };
}

function streamOf(id: string) {
  const response = new FakeResponse();
  const left = new AbortController();
  const ended = streamEvents(subscriberOf(id, response, left.signal), ports);
  return { ended, close: () => left.abort() };
}

it('an account has a limited number of event streams; one that ends makes room, and other accounts are not affected', async () => {
  const [one, two] = [streamOf('ann'), streamOf('ann')];
  await expect(streamOf('ann').ended).rejects.toMatchObject({
    kind: 'rate_limited',
    code: 'STREAMS_MANY',
  });
  const other = streamOf('bob');
  one.close();
  await one.ended;
  const three = streamOf('ann');
  await expect(streamOf('ann').ended).rejects.toMatchObject({ code: 'STREAMS_MANY' });
  for (const each of [two, three, other]) each.close();
  await Promise.all([two.ended, three.ended, other.ended]);
});

const PROGRESS = {
  phase: 'pull',
  bytes_done: 1,
  bytes_total: 2,
  blobs_done: 0,
  blobs_total: 1,
  bytes_reused: 0,
  rate: 1,
};
const ID = '0199d1f0-0000-7000-8000-000000000000';

it.each<[string, ProgressEvent['kind'], Record<string, unknown>, JobEvent | null]>([
  [
    'counters',
    'progress',
    { job_id: ID, progress: PROGRESS },
    { event: 'progress', data: { job_id: ID, progress: { ...PROGRESS, phase: 'pull' } } },
  ],
  ['counters of a worker of another version', 'progress', { job_id: ID, done: 1 }, null],
  ['a deleted job', 'job', {}, { event: 'job', data: { job_id: ID, deleted: true } }],
])('%s are sent as the contract declares them', async (_, kind, data, expected) => {
  const response = new FakeResponse();
  const event = { id: '1-0', jobId: ID, ownerId: 'ann', kind, data };
  await streamEvents(subscriberOf('ann', response, new AbortController().signal), {
    ...ports,
    async *subscribe() {
      yield event;
    },
  });
  const frames = response.written.filter((text) => text.startsWith('id:'));
  if (expected) JOB_EVENTS[expected.event].parse(expected.data);
  expect(frames).toEqual(
    expected
      ? [`id: 1-0\nevent: ${expected.event}\ndata: ${JSON.stringify(expected.data)}\n\n`]
      : [],
  );
});
