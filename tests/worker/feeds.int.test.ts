/** Refreshes of the feeds of KEV and EPSS by a real worker. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FeedKind } from '@portcullis/domain';
import { liveSettings, liveThreatFeeds, recent } from '@portcullis/events';
import { createLogger } from '@portcullis/runtime';
import {
  buildArtifact,
  epssFile,
  kevFile,
  pushImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

/** One time, because midnight may pass. */
const NOW = Date.now();
const isoDay = (ago: number) => new Date(NOW - ago * 86_400_000).toISOString();
const dateOf = (ago: number) => isoDay(ago).slice(0, 10);

let harness: Harness;
let registry: TestRegistry;
let server: Server;
let base: string;
/** What the server has; null answers 503. */
let scores: Uint8Array | null = null;
let asked: { url: string; condition: string | undefined }[] = [];

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

const stateOf = async (kind: FeedKind) =>
  (await harness.store.feeds.list()).find((each) => each.kind === kind);
const updates = async () =>
  (await recent(harness.redis, 50)).filter(({ event }) => event === 'feeds.updated');

/** A worker with these addresses; the last one is ended first. */
async function restarted(env: Record<string, string>): Promise<void> {
  await worker?.kill('SIGTERM');
  asked = [];
  worker = await harness.startWorker(env);
}
let worker: Awaited<ReturnType<Harness['startWorker']>> | undefined;

it('a worker reads the scores through a redirect, and a process that judges has them without a restart', async () => {
  const settings = liveSettings(harness.redis, harness.store.settings);
  const log = createLogger({ name: 'test', level: 'silent' });
  const live = liveThreatFeeds({ settings, feeds: harness.store.feeds, log });
  await live.start?.();
  expect(live.current().epss).toBeNull();

  scores = epssFile([['CVE-2021-44228', '0.94358']], { date: dateOf(1) });
  await restarted({ EPSS_URL: `${base}/current.csv.gz` });
  await expect.poll(() => live.current().epss?.score('CVE-2021-44228')).toBe(0.94358);
  expect(asked.map(({ url }) => url)).toEqual(['/current.csv.gz', '/today.csv.gz']);
  expect(await stateOf('epss')).toMatchObject({
    source: `${base}/current.csv.gz`,
    content: {
      version: 'v2026.03.14',
      entries: 1,
      publishedAt: new Date(`${dateOf(1)}T00:00:00Z`),
    },
    failure: null,
  });
  await expect.poll(updates).toMatchObject([
    {
      outcome: 'success',
      actor: { name: 'worker', auth: 'system' },
      resource: { kind: 'feed', name: 'epss' },
      detail: { entries: 1, entries_before: 0, version: 'v2026.03.14' },
    },
  ]);
  await live.stop?.();
  settings.close();
});

it('the next check is conditional; what did not change is no event', async () => {
  await harness.store.feeds.confirm('epss', {
    source: `${base}/current.csv.gz`,
    validator: (await stateOf('epss'))?.validator ?? null,
    at: new Date(Date.now() - 25 * 3_600_000),
  });
  const before = (await updates()).length;
  const since = Date.now();
  await restarted({ EPSS_URL: `${base}/current.csv.gz` });
  await expect
    .poll(async () => Number((await stateOf('epss'))?.content?.checkedAt))
    .toBeGreaterThanOrEqual(since - 1_000);
  expect(asked.every(({ condition }) => condition !== undefined)).toBe(true);
  expect(await updates()).toHaveLength(before);
});

it('a failed refresh keeps the scores and is stored with its reason', async () => {
  scores = null;
  await restarted({ EPSS_URL: `${base}/elsewhere.csv.gz` });
  await expect.poll(async () => (await stateOf('epss'))?.failure?.code).toBe('FEED_UNAVAILABLE');
  expect(await stateOf('epss')).toMatchObject({
    source: `${base}/current.csv.gz`,
    content: { entries: 1 },
    failure: { source: `${base}/elsewhere.csv.gz` },
  });
});

it('a mirror with an older file changes nothing', async () => {
  scores = epssFile([['CVE-2021-44228', '0.1']], { date: dateOf(9) });
  await restarted({ EPSS_URL: `${base}/old.csv.gz` });
  await expect.poll(async () => (await stateOf('epss'))?.failure?.code).toBe('FEED_OLDER');
  expect(await stateOf('epss')).toMatchObject({ content: { publishedAt: new Date(dateOf(1)) } });
});

it.each([
  ['the built-in registry, with its login', () => harness.registry],
  ['another registry', () => registry],
])('the catalog is read from an artifact in %s', async (_, from) => {
  const target = from();
  const ids = ['CVE-2021-44228', 'CVE-2014-0160'].slice(target === registry ? 0 : 1);
  const artifact = buildArtifact({
    artifactType: 'application/vnd.cisa.kev',
    layers: [{ mediaType: 'application/json', bytes: kevFile(ids, { released: isoDay(2) }) }],
  });
  await pushImage(target.url, 'feeds/kev', 'latest', artifact);
  const address = `oci://${target.host}/feeds/kev:latest`;
  await restarted({ KEV_URL: address });
  await expect.poll(async () => (await stateOf('kev'))?.source).toBe(address);
  await expect
    .poll(() => stateOf('kev'))
    .toMatchObject({
      validator: artifact.digest,
      content: { entries: ids.length },
      failure: null,
    });
});

it('an artifact without the one layer is refused with a reason', async () => {
  const layers = [1, 2].map((at) => ({
    mediaType: 'application/json',
    bytes: Buffer.from(`{"at":${at}}`),
  }));
  await pushImage(registry.url, 'feeds/two', 'latest', buildArtifact({ layers }));
  await restarted({ KEV_URL: `oci://${registry.host}/feeds/two:latest` });
  await expect.poll(async () => (await stateOf('kev'))?.failure?.code).toBe('FEED_INVALID');
});
