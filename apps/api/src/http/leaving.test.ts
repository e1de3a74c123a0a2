/** What runs for a client ends with it, also where the client left before it began. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { sampleEvent, samplePrincipal } from '@portcullis/testing/samples';
import express, { type Request, type Response } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { auditRoutes } from '../features/audit/routes.ts';
import { sendReport } from '../features/reports/send-report.ts';
import { type EventPorts, streamEvents } from '../features/staging/events-stream.ts';
import { createStreamLimit } from '../features/staging/stream-limit.ts';
import { whenChanged } from '../features/staging/wait.ts';
import { streamTransferEvents } from '../features/transfers/transfer-events.ts';
import { parse } from '../registry/parse.ts';
import { createRegistryProxy } from '../registry/proxy/proxy.ts';
import type { ApiCall } from './call.ts';
import { createAccountTurns } from './client/account-turns.ts';
import { isGone, leavingOf } from './leaving.ts';

const principal = samplePrincipal({ id: 'ann', username: 'ann', isAdmin: true });
const ports: EventPorts = {
  async *subscribe({ signal }) {
    if (!signal.aborted) await once(signal, 'abort');
    yield* [];
  },
  findJob: async () => null,
  standingOf: async () => null,
  current: async (account) => account,
  reach: { job: async () => true, transfer: async () => true },
  streams: createStreamLimit(1),
  stopping: new AbortController().signal,
};
const transfers = { ofChanges: async () => [] };

type Work = (call: Pick<ApiCall, 'request' | 'response' | 'signal'>) => Promise<unknown>;

/** Calls `work` once the client of a request has left. @returns how it ended */
async function afterLeaving(work: Work): Promise<unknown> {
  const settled = Promise.withResolvers<unknown>();
  const app = express().use(async (request: Request, response: Response) => {
    if (!response.destroyed) await once(response, 'close');
    const call = { request, response, signal: leavingOf(response) };
    settled.resolve(
      await work(call).then(
        () => 'ended',
        (error: unknown) => (isGone(response, error) ? 'ended' : error),
      ),
    );
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const received = once(server, 'request');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('PATCH / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
  await received;
  client.destroy();
  return settled.promise;
}

async function forwarded({ request, response }: Parameters<Work>[0]): Promise<void> {
  const registry = createServer(() => {}).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const base = new URL(`http://127.0.0.1:${port}`);
  const proxy = createRegistryProxy({
    registry: { base, credentials: null, socketPath: null },
    storeOrigins: [],
  });
  onTestFinished(() => {
    proxy.close();
    registry.close().closeAllConnections();
  });
  const v2Request = parse(
    'PATCH',
    '/v2/team/app/blobs/uploads/0199d1f0-0000-7000-8000-000000000000',
  );
  await proxy.forward(request, response, {
    v2Request,
    body: undefined,
    answer: async () => null,
  });
}

async function* endless() {
  for (;;) yield [sampleEvent({})];
}

async function exported(call: Parameters<Work>[0]): Promise<void> {
  const routes = auditRoutes({
    list: async () => ({ items: [], nextCursor: null }),
    all: endless,
  });
  const route = routes.find(({ operation }) => operation.path.endsWith('/export'));
  await route?.handle({ query: {}, params: {}, body: {} }, {
    ...call,
    note() {},
  } as unknown as ApiCall);
}

async function* endlessText() {
  for (;;) yield 'text';
}

const downloaded: Work = ({ response }) =>
  sendReport(response, { mediaType: 'text/plain', fileName: 'a.txt', content: endlessText() });

it.each<[string, Work]>([
  ['an event stream of jobs', (call) => streamEvents({ ...call, principal }, ports)],
  [
    'an event stream of transfers',
    (call) => streamTransferEvents({ ...call, principal }, { ...ports, transfers }),
  ],
  [
    'a request that waits for a job',
    ({ signal }) =>
      whenChanged(
        {
          ...{ seconds: 55, principal, signal },
          read: async () => 'scanning',
          statusOf: (status) => status,
          isFinal: () => false,
          concerns: () => true,
        },
        ports,
      ),
  ],
  [
    'a costly request',
    ({ signal }) => createAccountTurns()('ann', signal, () => new Promise(() => {})),
  ],
  ['an export of the audit log', exported],
  ['the download of a report', downloaded],
  ['the body of an upload to the registry', forwarded],
])('%s', async (_, work) => {
  expect(await afterLeaving(work)).toBe('ended');
  // Its place is free.
  ports.streams.take('ann')();
});
