/**
 * Clients that send a blob slowly, in front of a registry that receives the uploads itself: garbage
 * is collected meanwhile, and the blob is stored as a whole or not at all.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  bucketFiles,
  createCollectorLock,
  createWriteLock,
  openBucket,
  sweepBucket,
  sweepDirectory,
} from '@portcullis/local-registry';
import { openRedis, type Redis } from '@portcullis/runtime';
import {
  blobOf,
  PATIENCE_MS,
  pushBlob,
  sha256,
  startRedis,
  startRegistry,
  startS3,
  type TestRegistry,
  type TestS3,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, type ServedV2, serveV2 } from '../v2.fixture.ts';

const KIB = 1024;
const REPOSITORY = 'team/slow';

let redis: Redis;
let store: TestS3;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  redis = openRedis(parts.use(await startRedis()).url, { mode: 'patient' });
  parts.defer(() => redis.disconnect());
  store = parts.use(await startS3());
  // The lock has recorded writes since before all uploads.
  await createWriteLock(redis).needs('team/any', [`sha256:${'0'.repeat(64)}`]);
});
afterAll(() => parts.disposeAsync());

const closing = () => ({ patienceMs: PATIENCE_MS, signal: new AbortController().signal });

function collectDirectory({ storageDir }: TestRegistry): Promise<unknown> {
  return sweepDirectory({
    storageDir,
    registryLock: createCollectorLock(redis),
    dryRun: false,
    deleteUntagged: false,
    signal: new AbortController().signal,
    line: () => {},
    forget: async () => {},
    now: () => new Date(),
  });
}

async function collectBucket(): Promise<unknown> {
  const { bucket, region, url: endpoint, credentials } = store;
  const lock = createCollectorLock(redis);
  await using closed = await lock.close(closing());
  const { signal } = closing();
  const place = { bucket, region, endpoint, pathStyle: true, credentials, signal };
  const kept = new Set((await lock.needed()).entries.map(({ digest }) => digest));
  return await sweepBucket({
    storage: bucketFiles(openBucket(place), ''),
    dryRun: false,
    kept,
    signal: AbortSignal.any([signal, closed.lost]),
    line: () => {},
    now: () => new Date(),
  });
}

describe.each([
  ['a directory that the api can not write', () => ({}), collectDirectory],
  ['a bucket', () => ({ storage: store.storage }), collectBucket],
])('where the registry stores blobs in %s', (_, options, collect) => {
  let registry: TestRegistry;
  let v2: ServedV2;

  beforeAll(async () => {
    registry = await startRegistry(options());
    v2 = await serveV2(registry.loginUrl, {
      registryLock: createWriteLock(redis, { patienceMs: 200 }),
    });
  });
  afterAll(async () => {
    await v2?.stop();
    await registry?.stop();
  });

  async function begun(): Promise<string> {
    const answer = await v2.ask('POST', `/v2/${REPOSITORY}/blobs/uploads/`);
    expect(answer.status).toBe(202);
    return answer.headers.get('location') ?? '';
  }

  /** A PUT that ends the upload, of which half has been sent. */
  async function halfSent(bytes: Buffer, stated: Record<string, string>) {
    const location = `${await begun()}&digest=${sha256(bytes)}`;
    const headers = { ...basic('writer'), ...stated };
    const outgoing = request(new URL(location, v2.url), { method: 'PUT', headers });
    const half = bytes.length >> 1;
    await new Promise((sent) => outgoing.write(bytes.subarray(0, half), sent));
    return { outgoing, location, rest: bytes.subarray(half) };
  }

  /** Adds a blob that nothing needs, and returns once it was collected. */
  async function collected(): Promise<void> {
    const garbage = blobOf('application/octet-stream', randomBytes(100));
    await pushBlob(registry.url, 'team/garbage', garbage);
    await collect(registry);
    expect(await isStored(garbage.descriptor.digest, 'team/garbage')).toBe(false);
  }

  async function isStored(digest: string, repository = REPOSITORY): Promise<boolean> {
    const url = `${registry.url}/v2/${repository}/blobs/${digest}`;
    const answer = await fetch(url);
    if (!answer.ok) await answer.body?.cancel();
    else expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(digest);
    return answer.ok;
  }

  it.each([
    ['a few bytes', 10, true],
    ['many bytes', 300 * KIB, true],
    ['bytes without a stated length', 300 * KIB, false],
  ])(
    'a PUT of %s is completed after the collection that ran meanwhile',
    async (__, size, isStated) => {
      const bytes = randomBytes(size);
      const stated: Record<string, string> = isStated ? { 'content-length': String(size) } : {};
      const { outgoing, rest } = await halfSent(bytes, stated);
      await collected();
      expect(await isStored(sha256(bytes))).toBe(false);
      outgoing.end(rest);
      const answer = await answerTo(outgoing);
      expect(answer.statusCode).toBe(201);
      expect(answer.headers['docker-content-digest']).toBe(sha256(bytes));
      expect(answer.headers.location).toBe(`/v2/${REPOSITORY}/blobs/${sha256(bytes)}`);
      await collected();
      expect(await isStored(sha256(bytes))).toBe(true);
    },
  );

  it('a POST that has the blob as well is answered before the blob arrives', async () => {
    const bytes = randomBytes(100);
    const path = `/v2/${REPOSITORY}/blobs/uploads/?digest=${sha256(bytes)}`;
    const headers = { ...basic('writer'), 'content-length': '100' };
    const outgoing = request(new URL(path, v2.url), { method: 'POST', headers });
    outgoing.write(bytes.subarray(0, 50));
    const answer = await answerTo(outgoing);
    expect(answer.statusCode).toBe(202);
    outgoing.end(bytes.subarray(50));
    const next = `${answer.headers.location}&digest=${sha256(bytes)}`;
    expect((await v2.ask('PUT', next, { body: new Uint8Array(bytes) })).status).toBe(201);
    expect(await isStored(sha256(bytes))).toBe(true);
  });

  it('the blob of a client that disconnects is not stored', async () => {
    const bytes = randomBytes(300 * KIB);
    const { outgoing } = await halfSent(bytes, { 'content-length': String(bytes.length) });
    outgoing.on('error', () => {});
    outgoing.destroy();
    await collected();
    expect(await isStored(sha256(bytes))).toBe(false);
  });

  it('bytes with another digest are refused', async () => {
    const bytes = randomBytes(300 * KIB);
    const { outgoing, rest } = await halfSent(bytes, { 'content-length': String(bytes.length) });
    outgoing.end(Buffer.from(rest).fill(0));
    const answer = await answerTo(outgoing);
    expect(answer.statusCode).toBe(400);
    expect(await text(answer)).toContain('DIGEST_INVALID');
    expect(await isStored(sha256(bytes))).toBe(false);
  });

  it('a PUT that ends during a collection is refused, and its bytes are kept for another one', async () => {
    const bytes = randomBytes(300 * KIB);
    const { outgoing, location, rest } = await halfSent(bytes, {});
    const closed = await createCollectorLock(redis).close(closing());
    outgoing.end(rest);
    const refused = await answerTo(outgoing);
    expect(refused.statusCode).toBe(503);
    expect(await text(refused)).toContain('REGISTRY_COLLECTING');
    expect(await isStored(sha256(bytes))).toBe(false);
    await closed[Symbol.asyncDispose]();
    const place = await v2.ask('PUT', location, { body: new Uint8Array(bytes) });
    expect([place.status, place.headers.get('range')]).toEqual([416, `0-${bytes.length - 1}`]);
    const next = `${place.headers.get('location')}&digest=${sha256(bytes)}`;
    expect((await v2.ask('PUT', next)).status).toBe(201);
    expect(await isStored(sha256(bytes))).toBe(true);
  });
});

async function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [answer] = await once(outgoing, 'response');
  return answer;
}
