/** Sources that attack: by what they serve, by how slowly they serve it, and by not serving it at all. */
import { MAX_MANIFEST_BYTES } from '@portcullis/oci';
import { fetchManifest, imageWithManifestOf, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Hostility, startHostile } from './hostile.ts';
import { openStand, type Stand } from './stand.ts';

let stand: Stand;

beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand?.[Symbol.asyncDispose]());

async function worker(env?: Record<string, string>) {
  const started = await stand.startWorker(env);
  onTestFinished(() => started.kill('SIGKILL'));
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
      const job = await stand.submit({ image: 'team/large', tag: '1', host: source.host });
      expect(await stand.settled(job.id)).toMatchObject({ status: 'staged', digest: image.digest });
      await stand.push(job.id, { repository: 'gate/large', tag: String(size) });
      expect(await stand.settled(job.id)).toMatchObject({ status: 'pushed', error: null });
      const there = await fetchManifest(stand.registry.url, 'gate/large', String(size));
      expect(Buffer.from(there.body).equals(image.bytes)).toBe(true);
    },
  );
});
