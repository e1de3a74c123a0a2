import { EventEmitter } from 'node:events';
import type { ProgressEvent } from '@portcullis/events';
import type { Transfer } from '@portcullis/store';
import { samplePrincipal } from '@portcullis/testing/samples';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { createStreamLimit } from '../staging/stream-limit.ts';
import { streamTransferEvents } from './transfer-events.ts';

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

const transfer = (id: string): Transfer => ({
  ...{ id, ownerId: 'ann', ownerName: 'ann', scheduleId: null, selections: [], counts: {} },
  ...{ scheduleName: null, entryCount: 1 },
  firstEntry: { image: 'app', repository: 'team/app', tags: { tag: '1' }, targetTag: null },
  order: {
    source: { kind: 'host', registryId: null, host: 'from.example' },
    destination: { kind: 'local', registryId: '__local__', host: 'to.example' },
    platforms: 'all',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    withReferrers: true,
    bypass: { allowed: true, reason: null },
  },
  ...{ blocked: 0, refused: 0, bypassed: 0, bypasses: [], createdAt: new Date() },
  bytes: { total: 0, done: 0, reused: 0, mounted: 0 },
});

async function sent(
  changes: Pick<ProgressEvent, 'id' | 'kind' | 'jobId'>[],
  found: Transfer[],
  fault?: Error,
) {
  const response = new FakeResponse();
  const asked: { jobIds: readonly string[]; ids: readonly string[] }[] = [];
  await streamTransferEvents(
    {
      request: { get: () => undefined } as unknown as Request,
      response: response as unknown as Response,
      principal: samplePrincipal({ id: 'ann', username: 'ann' }),
      signal: new AbortController().signal,
    },
    {
      async *subscribe() {
        for (const change of changes) yield { ...change, ownerId: 'ann', data: {} };
        yield { id: '9-0', kind: 'job', jobId: 'foreign', ownerId: 'bob', data: {} };
        if (fault) throw fault;
      },
      async current(principal) {
        return principal;
      },
      reach: { job: async () => true, transfer: async () => true },
      streams: createStreamLimit(2),
      stopping: new AbortController().signal,
      transfers: {
        async ofChanges(changed) {
          asked.push(changed);
          return found;
        },
      },
      gatherMs: 1,
    },
  );
  const frames = response.written.flatMap((text) => {
    const [, id = null, data] =
      /^(?:id: (\S+)\n)?event: transfer\ndata: (.*)\n\n$/.exec(text) ?? [];
    return data === undefined ? [] : [{ id, ...JSON.parse(data) }];
  });
  return { asked, frames };
}

it('changes that come together are one event of each transfer; a foreign job is none', async () => {
  const changes = ['1-0', '2-0', '3-0'].map(
    (id) => ({ id, kind: 'job', jobId: `of ${id}` }) as const,
  );
  const { asked, frames } = await sent(changes, [transfer('one'), transfer('two')]);
  expect(asked).toEqual([{ jobIds: ['of 1-0', 'of 2-0', 'of 3-0'], ids: [] }]);
  expect(frames.map(({ transfer_id }) => transfer_id)).toEqual(['one', 'two']);
});

it('only the last event of several has an id, so that a broken connection loses none', async () => {
  const changes = [{ id: '1-0', kind: 'job', jobId: 'job' } as const];
  const { frames } = await sent(changes, [transfer('one'), transfer('two')]);
  expect(frames.map(({ id }) => id)).toEqual([null, '1-0']);
});

it('a transfer that does not exist any more was deleted', async () => {
  const changes = [{ id: '1-0', kind: 'transfer', jobId: 'gone' } as const];
  const { frames } = await sent(changes, []);
  expect(frames).toEqual([{ id: '1-0', transfer_id: 'gone', deleted: true }]);
});

it('a fault of Redis ends the stream, also while changes are gathered', async () => {
  const changes = [{ id: '1-0', kind: 'job', jobId: 'job' } as const];
  // Without a handler at that moment the process would end.
  await expect(sent(changes, [], new Error('Redis is away'))).rejects.toThrow('Redis is away');
});
