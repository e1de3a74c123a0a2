/**
 * What a caller sends or has stored holds the event loop for no longer than 50 milliseconds of CPU.
 * This thread runs the tests and collects garbage as well, so one measurement may be too high: work
 * that holds the loop is too high in each of them, of input that is new each time.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createMetrics, watchLoop } from '@portcullis/runtime';
import { buildArtifact, buildIndex, json, pushImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from './api.fixture.ts';
import { listen } from './server.ts';

const MOST_MS = 50;

let api: TestApi;
let ann: Client;
let foreign: Awaited<ReturnType<typeof listen>>;
let answer = Buffer.alloc(0);
let count = 0;

beforeAll(async () => {
  api = await startApi();
  const { folderId } = await api.grant(await api.account('ann'), 'team', {
    ...{ canPull: true, canPush: true, canPullExternal: true },
  });
  await api.store.folders.update(folderId, { pullGate: 'report' });
  ann = await api.as('ann');
  const registry = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  foreign = await listen(registry, 0, '127.0.0.1');
});
afterAll(() => Promise.all([api?.stop(), foreign?.stop(1_000)]));

/** The longest hold of one request, in milliseconds of CPU. */
async function holdOf(request: () => Promise<Response>, status: number): Promise<number> {
  const watch = watchLoop(createMetrics({ defaults: false }));
  try {
    const response = await request();
    await response.arrayBuffer();
    expect(response.status).toBe(status);
    return watch.longestHold();
  } finally {
    watch.stop();
  }
}

/** JSON of so many empty objects, different each time. */
const objects = (many: number) => Buffer.from(`{"salt":${++count},"a":[${'{},'.repeat(many)}{}]}`);

/** JSON of so many different names, which take longer to build than empty objects. */
const names = (many: number) =>
  Buffer.from(`{"salt":${++count},"a":{${Array.from({ length: many }, (_, n) => `"k${n}":0`)}}}`);

const artifact = (config: Buffer, type = 'application/vnd.kit.config') =>
  buildArtifact({
    artifactType: 'application/vnd.kit',
    config: { mediaType: type, bytes: config },
    layers: [{ mediaType: 'text/plain', bytes: Buffer.from(`text ${++count}`) }],
  });

async function pushed(image: TestImage): Promise<string> {
  await pushImage(api.registry.url, 'team/app', null, image);
  return image.digest;
}

function pull(digest: string, more: Record<string, string> = {}): Promise<Response> {
  const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
  const headers = { authorization, ...more };
  return fetch(`${api.url}/v2/team/app/manifests/${digest}`, { headers });
}

const IMAGE_CONFIG = 'application/vnd.oci.image.config.v1+json';

const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';

/** As large as one may be. Its children are one image, which is there. */
async function wideIndex(): Promise<Buffer<ArrayBuffer>> {
  const image = artifact(objects(1));
  await pushed(image);
  const child = (at: number) => ({
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    ...{ digest: image.digest, size: image.bytes.length },
    annotations: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${at}-${n}`, ''])),
  });
  const manifests = Array.from({ length: 5_000 }, (_, at) => child(at));
  return Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests }));
}

function put(base: string, reference: string, body: Buffer<ArrayBuffer>): Promise<Response> {
  const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
  const headers = { authorization, 'content-type': OCI_INDEX };
  const url = new URL(`/v2/team/app/manifests/${reference}`, base);
  return fetch(url, { method: 'PUT', headers, body });
}

/** The foreign registry answers each request with these bytes. */
function tagsOfForeign(body: Buffer<ArrayBuffer>): () => Promise<Response> {
  answer = body;
  const order = { image: 'acme/app', source_registry_host: `127.0.0.1:${foreign.port}` };
  return () => ann.post('/api/staging/search/tags?q=x', order);
}

/** Each prepares new input, and then requests it. */
const INPUTS: [string, () => Promise<() => Promise<Response>>, number][] = [
  [
    'the configuration of an artifact at the pull gate',
    async () => {
      const digest = await pushed(artifact(objects(4_000_000)));
      return () => pull(digest);
    },
    200,
  ],
  [
    'the configurations of an index at the pull gate',
    async () => {
      const children = Array.from({ length: 3 }, () => artifact(names(600_000)));
      const digest = await pushed(buildIndex(children));
      return () => pull(digest);
    },
    200,
  ],
  [
    'the same, for an explanation',
    async () => {
      const digest = await pushed(artifact(names(600_000)));
      return () => ann.get(`/api/gate/explain?repository=team/app&reference=${digest}`);
    },
    200,
  ],
  [
    'the configuration of an image in its details',
    async () => {
      const digest = await pushed(artifact(names(350_000), IMAGE_CONFIG));
      return () => ann.get(`/api/images/__local__/tags/detail?repository=team/app&tag=${digest}`);
    },
    200,
  ],
  [
    'a pattern whose program is large',
    async () => {
      const regex = `(?i)(?:${'\\w?'.repeat(75)}){1000}!${++count}`;
      const images = [{ repository: 'team/app', tags: { match: { regex } } }];
      const ends = { source_registry_id: '__local__', dest_folder: 'team' };
      return () => ann.post('/api/transfer/plan', { images, ...ends });
    },
    200,
  ],
  [
    'sixty patterns',
    async () => {
      const images = Array.from({ length: 60 }, () => ({
        repository: 'team/app',
        tags: { match: { regex: `(?:a{${++count % 20}}b?){50}` } },
      }));
      const ends = { source_registry_id: '__local__', dest_folder: 'team' };
      return () => ann.post('/api/transfer/plan', { images, ...ends });
    },
    200,
  ],
  [
    'a document of OpenVEX with much that is not read',
    async () => {
      const body = Buffer.concat([Buffer.from('{"x":'), objects(15_000), Buffer.from('}')]);
      const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' };
      return () =>
        fetch(`${api.url}/api/waivers/vex?folder=team`, { method: 'POST', headers, body });
    },
    422,
  ],
  [
    'a list of what a client accepts',
    async () => {
      const accept = `${Array.from({ length: 700 }, (_, n) => `a/b${n};q=0.${n}`).join(',')},*/*`;
      const digest = await pushed(artifact(objects(1)));
      return () => pull(digest, { accept });
    },
    200,
  ],
  [
    'an index of thousands of manifests with annotations, at its push',
    async () => {
      const body = await wideIndex();
      return () => put(api.url, `wide-${++count}`, body);
    },
    201,
  ],
  [
    'the same, at the pull gate',
    async () => {
      const tag = `wide-${++count}`;
      await put(api.registry.url, tag, await wideIndex());
      return () => pull(tag);
    },
    200,
  ],
  [
    'the same, as a list of referrers',
    async () => {
      const subject = randomBytes(32).toString('hex');
      await put(api.registry.url, `sha256-${subject}`, await wideIndex());
      const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
      const list = `${api.url}/v2/team/app/referrers/sha256:${subject}`;
      return () => fetch(list, { headers: { authorization } });
    },
    200,
  ],
  [
    'tags of a foreign registry, as many as one page may have',
    async () => {
      const tags = Array.from({ length: 100_000 }, (_, at) => `${at}-${'x'.repeat(120)}`);
      return tagsOfForeign(Buffer.from(JSON.stringify({ tags })));
    },
    200,
  ],
  [
    'tags of a foreign registry in megabytes',
    async () => tagsOfForeign(Buffer.from(`{"tags":[${'"a",'.repeat(4_000_000)}"a"]}`)),
    503,
  ],
  [
    'the newest of as many tags of a foreign registry, in a plan',
    async () => {
      const tags = Array.from({ length: 100_000 }, (_, at) => `1.${at % 1_000}.${at}-rc.${count}`);
      const host = `127.0.0.1:${foreign.port}`;
      const place = { name: `foreign-${++count}`, host, use_tls: false };
      const { id } = await json(ann.post('/api/registries', place));
      answer = Buffer.from(JSON.stringify({ tags }));
      const images = [{ repository: 'acme/app', tags: { match: { glob: '*' }, newest: 3 } }];
      const ends = { source_registry_id: id, dest_folder: 'team' };
      return () => ann.post('/api/transfer/plan', { images, ...ends });
    },
    200,
  ],
  [
    'an answer of a foreign registry in megabytes of names',
    async () => {
      const fields = Array.from({ length: 1_000_000 }, (_, at) => `"${at}":0`);
      return tagsOfForeign(Buffer.from(`{"tags":["x"],${fields.join()}}`));
    },
    200,
  ],
];

it.each(INPUTS)('%s', async (_, prepare, status) => {
  await expect
    .poll(async () => holdOf(await prepare(), status), { interval: 1 })
    .toBeLessThan(MOST_MS);
});
