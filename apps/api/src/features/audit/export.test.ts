/** The export applies backpressure: neither the database nor memory runs ahead of the reader. */

import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditEvent } from '@portcullis/events';
import { createLogger } from '@portcullis/runtime';
import { sampleEvent, samplePrincipal } from '@portcullis/testing/samples';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccountTurns } from '../../http/client/account-turns.ts';
import { requestId } from '../../http/client/request-id.ts';
import { errorHandler } from '../../http/error-handler.ts';
import { mount } from '../../http/mount.ts';
import { auditRoutes } from './routes.ts';

const EVENT = sampleEvent({ detail: { filler: 'x'.repeat(1_000) } });

/** The pieces of each search. */
const made: number[] = [];
let ended = false;
let failsAt = Number.POSITIVE_INFINITY;
const published: AuditEvent[] = [];
let server: Server;
let url = '';

async function* endless(): AsyncGenerator<AuditEvent[]> {
  const search = made.push(0) - 1;
  let pieces = 0;
  ended = false;
  try {
    for (;;) {
      if (pieces >= failsAt) throw new Error('the database went away');
      pieces += 1;
      made[search] = pieces;
      yield Array.from({ length: 100 }, () => EVENT);
    }
  } finally {
    ended = true;
  }
}

beforeAll(async () => {
  const app = express();
  const log = createLogger({ name: 'test', destination: { write: () => {} } });
  const admin = samplePrincipal({ isAdmin: true });
  const routes = auditRoutes({ list: async () => ({ items: [], nextCursor: null }), all: endless });
  app.use(requestId(log, () => performance.now()));
  app.use(
    '/api',
    mount(routes, {
      authenticate: async () => ({ ...admin, auth: 'session' }),
      audit: {
        scope: () => ({
          run: (work) => work(),
          async intend() {},
          end: async () => false,
          mayHaveChanged: () => false,
        }),
        async tell() {},
        end: async (_, event) => void (event && published.push(event)),
      },
      publicUrl: null,
      idempotencySecret: Buffer.alloc(32),
      turns: createAccountTurns(),
      checkReplies: true,
    }),
    errorHandler,
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/system/audit/export`;
});
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});

async function open(): Promise<IncomingMessage> {
  const [response] = await once(get(url), 'response');
  return response;
}

it('a reader that pauses pauses the search, and resumes it', async () => {
  const response = await open();
  expect(response.headers['content-type']).toBe('application/jsonl; charset=utf-8');
  response.pause();
  const paused = { pieces: () => made[0] ?? 0 };
  // Another reader of the same process gets far more than the sockets buffer.
  const other = await open();
  other.resume();
  await expect.poll(() => made[1]).toBeGreaterThan(300);
  other.destroy();
  // The sockets buffer a few megabytes, in batches of 130 kB.
  const held = paused.pieces();
  expect(held).toBeLessThan(100);
  ended = false;
  response.resume();
  await expect.poll(paused.pieces).toBeGreaterThan(held + 100);
  response.destroy();
  await expect.poll(() => ended).toBe(true);
});

it('a fault during the export closes the connection, so that no client takes it for complete', async () => {
  failsAt = 3;
  const response = await open();
  const read = (async () => {
    for await (const _ of response);
  })();
  await expect(read).rejects.toThrow(/aborted/);
  expect(published.at(-1)).toMatchObject({ event: 'audit.export', outcome: 'failure' });
});
