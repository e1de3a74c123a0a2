/** Costly operations over HTTP: their bound for each account, and their end with the client. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Contract } from '@portcullis/contract';
import { createLogger } from '@portcullis/runtime';
import { samplePrincipal } from '@portcullis/testing/samples';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createAccountTurns } from './client/account-turns.ts';
import { requestId } from './client/request-id.ts';
import { errorHandler } from './error-handler.ts';
import { implement } from './implement.ts';
import { mount } from './mount.ts';

const contract = {
  costly: {
    method: 'get',
    path: '/costly',
    summary: '',
    access: 'user',
    costly: true,
    query: z.strictObject({ name: z.string() }),
    success: { status: 200, body: z.string() },
  },
  cheap: {
    method: 'get',
    path: '/cheap',
    summary: '',
    access: 'user',
    query: z.strictObject({ name: z.string() }),
    success: { status: 200, body: z.string() },
  },
} as const satisfies Contract;

async function startServer() {
  const started: string[] = [];
  const ended: string[] = [];
  const lines: string[] = [];
  const ends = new Map<string, () => void>();

  async function handle(name: string, signal: AbortSignal): Promise<string> {
    started.push(name);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    signal.addEventListener('abort', () => {
      ended.push(name);
      reject(signal.reason);
    });
    await promise;
    return name;
  }

  const routes = implement(contract, {
    costly: ({ query }, { signal }) => handle(query.name, signal),
    cheap: async ({ query }) => query.name,
  });
  const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } });
  const app = express();
  app.use(requestId(log, () => performance.now()));
  app.use(
    mount(routes, {
      async authenticate({ headers: { authorization = '' } }) {
        return samplePrincipal({ id: authorization, username: authorization });
      },
      audit: {
        scope: () => {
          throw new Error('nothing is audited here');
        },
        async tell() {},
        async end() {},
      },
      ...{ publicUrl: null, idempotencySecret: Buffer.alloc(32), checkReplies: true },
      turns: createAccountTurns({ atOnce: 2, waiting: 1 }),
    }),
  );
  app.use(errorHandler);
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ started, ended, lines },
    end: (name: string) => ends.get(name)?.(),
    ask: (account: string, name: string, signal?: AbortSignal, path = 'costly') =>
      fetch(`http://127.0.0.1:${port}/${path}?name=${name}`, {
        headers: { authorization: account },
        signal: signal ?? null,
      }),
  };
}

it('are bounded for each account, and other operations are not', async () => {
  const { started, ask, end } = await startServer();
  const open = [ask('ann', 'a'), ask('ann', 'b')];
  await expect.poll(() => started).toHaveLength(2);
  // One of them waits.
  const more = ['c', 'd', 'e'].map((name) => ask('ann', name));
  const refused = await Promise.race(more);
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: 'COSTLY_REQUESTS_MANY' },
  ]);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await ask('ann', 'f', undefined, 'cheap')).status).toBe(200);
  const other = ask('bob', 'g');
  await expect.poll(() => started).toContain('g');
  for (const name of [...started]) end(name);
  await expect.poll(() => started).toHaveLength(4);
  end(started.at(-1) ?? '');
  for (const each of [...open, other]) expect((await each).status).toBe(200);
  const statuses = (await Promise.all(more)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 429, 429]);
});

it('end with the client, and are no failure in the log', async () => {
  const { started, ended, lines, ask, end } = await startServer();
  const leaving = new AbortController();
  const left = [ask('ann', 'a', leaving.signal), ask('ann', 'b', leaving.signal)];
  await expect.poll(() => started).toHaveLength(2);
  const waiting = ask('ann', 'c');
  leaving.abort();
  await Promise.allSettled(left);
  await expect.poll(() => ended.toSorted()).toEqual(['a', 'b']);
  // Their places are free for the one that waits.
  await expect.poll(() => started).toContain('c');
  end('c');
  expect((await waiting).status).toBe(200);
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
});
