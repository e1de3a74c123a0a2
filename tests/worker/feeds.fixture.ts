/** What feeds.int and feeds.night start, and how they look at it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FeedKind } from '@portcullis/domain';
import { recent } from '@portcullis/events';
import { startRegistry, type TestRegistry } from '@portcullis/testing';
import { afterAll, beforeAll } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

/** One time, because midnight may pass. */
const NOW = Date.now();

export const isoDay = (ago: number) => new Date(NOW - ago * 86_400_000).toISOString();

export const dateOf = (ago: number) => isoDay(ago).slice(0, 10);

export let harness: Harness;

export let registry: TestRegistry;

let server: Server;

export let base: string;

/** What the server has; null answers 503. */
export let scores: Uint8Array | null = null;

export let asked: { url: string; condition: string | undefined }[] = [];

export const stateOf = async (kind: FeedKind) =>
  (await harness.store.feeds.list()).find((each) => each.kind === kind);

export const updates = async () =>
  (await recent(harness.redis, 50)).filter(({ event }) => event === 'feeds.updated');

/** A worker with these addresses; the last one is ended first. */
export async function restarted(env: Record<string, string>): Promise<void> {
  await worker?.kill('SIGTERM');
  asked = [];
  worker = await harness.startWorker(env);
}

let worker: Awaited<ReturnType<Harness['startWorker']>> | undefined;

export function setScores(value: typeof scores): void {
  scores = value;
}

export function startFeeds(): void {
  beforeAll(async () => {
    [harness, registry] = await Promise.all([openHarness(), startRegistry()]);
    server = createServer(({ url = '', headers }, response) => {
      const condition = headers['if-none-match'];
      asked.push({ url, condition });
      if (scores === null) return void response.writeHead(503, { 'retry-after': '999' }).end();
      const etag = `"${Buffer.from(scores).toString('base64url').length}"`;
      if (condition === etag) return void response.writeHead(304).end();
      // The official address redirects to the file of the day.
      if (url === '/current.csv.gz')
        return void response.writeHead(302, { location: '/today.csv.gz' }).end();
      response.writeHead(200, { etag }).end(gzipSync(scores));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    await harness?.[Symbol.asyncDispose]();
    await registry?.stop();
  });
}
