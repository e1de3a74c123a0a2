/** Malicious sources: content, slowness and absence. */
import { MAX_MANIFEST_BYTES } from '@portcullis/oci';
import {
  fetchManifest,
  imageWithManifestOf,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import { type Hostility, startHostile } from './hostile.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

async function worker(env?: Record<string, string>) {
  const started = await harness.startWorker(env);
  onTestFinished(() => started.kill('SIGTERM'));
  return started;
}

async function hostile(images: TestImage[], behave: Hostility = () => false) {
  const started = await startHostile(images, behave);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

describe('F3: a manifest of more than 512 KiB was staged and could not be pushed', () => {
  it.each([[1024 * 1024], [MAX_MANIFEST_BYTES]])(
    'one of %i bytes goes through pull and push, byte for byte',
    async (size) => {
      const image = await imageWithManifestOf(size);
      const source = await hostile([image]);
      await worker();
      const job = await harness.submit({ image: 'team/large', tag: '1', host: source.host });
      expect(await harness.settled(job.id)).toMatchObject({
        status: 'staged',
        digest: image.digest,
      });
      await harness.push(job.id, { repository: 'gate/large', tag: String(size) });
      expect(await harness.settled(job.id)).toMatchObject({ status: 'pushed', error: null });
      const there = await fetchManifest(harness.registry.url, 'gate/large', String(size));
      expect(Buffer.from(there.body).equals(image.bytes)).toBe(true);
    },
  );
});

/** Announces the whole blob and then sends one byte per second. */
const trickling: Hostility = ({ kind, content }, response) => {
  if (kind !== 'blob' || !content) return false;
  const { bytes } = content;
  response.writeHead(200, { 'content-length': bytes.length });
  let at = 0;
  const timer = setInterval(() => response.write(bytes.subarray(at, ++at)), 1000);
  response.once('close', () => clearInterval(timer));
  return true;
};

describe('F2: eight slow images of one account stopped all pulls of the others', () => {
  it('ten images that arrive byte by byte delay no other account', async () => {
    const images = await Promise.all(
      Array.from({ length: 10 }, () => randomImage({ bytes: 1024 * 1024 })),
    );
    const sources = await Promise.all(images.map((image) => hostile([image], trickling)));
    const ordinary = await randomImage();
    const source = await hostile([ordinary]);
    const eve = await harness.store.users.insert({
      username: 'eve',
      passwordHash: null,
      isAdmin: true,
    });
    await worker({ PLACE_KEPT_SECONDS: '2' });
    const slow = await Promise.all(
      sources.map(({ host }) =>
        harness.submit({ image: 'team/slow', tag: '1', host, ownerId: eve.id }),
      ),
    );
    const statuses = async () =>
      (await Promise.all(slow.map(({ id }) => harness.store.jobs.get(id)))).map(
        ({ status }) => status,
      );
    await expect
      .poll(async () => (await statuses()).filter((each) => each === 'pulling'))
      .toHaveLength(8);
    const jobs = [1, 2, 3].map((tag) =>
      harness.submit({ image: 'team/quick', tag: String(tag), host: source.host }),
    );
    for (const { id } of await Promise.all(jobs))
      expect(await harness.settled(id)).toMatchObject({ status: 'staged', error: null });
    // Preempted jobs wait or run again, and keep what they transferred.
    const left = await Promise.all(slow.map(({ id }) => harness.store.jobs.get(id)));
    expect(left.map(({ status }) => status)).not.toContain('failed');
    expect(left.flatMap(({ timeline }) => timeline.map(({ kind }) => kind))).toContain('preempted');
    for (const { id } of slow) await harness.store.jobs.requestCancel(id);
  });

  const never: Hostility = () => true;
  const STUCK: [string, string, Hostility][] = [
    [
      'sends nothing after the head of a blob',
      'REGISTRY_SILENT',
      ({ kind, content }, response) => {
        if (kind !== 'blob' || !content) return false;
        response.writeHead(200, { 'content-length': content.bytes.length }).flushHeaders();
        return true;
      },
    ],
    [
      'never answers a request for a manifest',
      'REGISTRY_SILENT',
      (request, response) => request.kind === 'manifest' && never(request, response),
    ],
    ['never answers at all', 'REGISTRY_SILENT', never],
    ['sends a blob byte by byte', 'REGISTRY_TOO_SLOW', trickling],
  ];

  describe('the job of a source that', () => {
    const parts = new AsyncDisposableStack();
    /** By what their sources do. All run at the same time, because each waits for its source. */
    const jobs = new Map<string, { id: string; host: string }>();

    beforeAll(async () => {
      for (const [does, , behave] of STUCK) {
        const { host } = parts.use(await startHostile([await randomImage()], behave));
        const { id } = await harness.submit({ image: 'team/stuck', tag: '1', host });
        jobs.set(does, { id, host });
      }
      const stuck = await harness.startWorker({ SILENCE_SECONDS: '2' });
      parts.defer(() => stuck.kill('SIGTERM'));
    });
    afterAll(() => parts.disposeAsync());

    it.each(STUCK)('%s fails after two attempts of two requests each', async (does, code) => {
      const { id = '', host = '' } = jobs.get(does) ?? {};
      expect(await harness.settled(id)).toMatchObject({
        status: 'failed',
        attempts: 2,
        error: { code, side: 'source', retryable: true, message: expect.stringContaining(host) },
      });
    });
  });
});
