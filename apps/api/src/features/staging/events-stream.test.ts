import { EventEmitter } from 'node:events';
import { samplePrincipal } from '@portcullis/testing/samples';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { type EventPorts, streamEvents } from './events-stream.ts';
import { createStreamPlaces } from './stream-places.ts';

class FakeResponse extends EventEmitter {
  writeHead(): this {
    return this;
  }
  write(): boolean {
    return true;
  }
  end(): void {}
}

const ports: EventPorts = {
  async *subscribe({ signal }) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
  findJob: async () => null,
  current: async (principal) => principal,
  places: createStreamPlaces(2),
  stopping: new AbortController().signal,
};

function streamOf(id: string) {
  const response = new FakeResponse();
  const principal = samplePrincipal({ id, username: id });
  const request = { get: () => undefined };
  const ended = streamEvents(
    request as unknown as Request,
    response as unknown as Response,
    principal,
    ports,
  );
  return { ended, close: () => response.emit('close') };
}

it('an account has so many event streams and no more; one that ends makes room, and others have their own', async () => {
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
