/** What every Target has to do, whatever its medium. */
import { buildImage, buildIndex } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDigest } from '../model/digest.ts';
import { OCI_MANIFEST } from '../model/media-type.ts';
import type { Target } from './content.ts';
import { bytesOf, chunked, put, putBlob, randomBlob } from './sample.contract.ts';

export interface OpenedTarget {
  target: Target;
  close(): Promise<void>;
}

export function describeTarget(name: string, open: () => Promise<OpenedTarget>): void {
  describe(`${name} as a target`, () => {
    let target: Target;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ target, close } = await open());
    });
    afterEach(() => close());

    describe('a blob', () => {
      it.each([
        ['of no bytes', 0],
        ['of one byte', 1],
        ['of one chunk', 64 * 1024],
        ['of many chunks and a rest', 1_000_003],
      ])('%s is read back as it was pushed', async (_, size) => {
        const blob = randomBlob(size);
        await putBlob(target, blob);
        expect(await target.exists(blob.descriptor)).toBe(true);
        expect((await bytesOf(await target.fetch(blob.descriptor))).equals(blob.bytes)).toBe(true);
      });

      it('that was never pushed does not exist, and fetching it says not_found', async () => {
        const { descriptor } = randomBlob(10);
        expect(await target.exists(descriptor)).toBe(false);
        await expect(readAll(target, descriptor)).rejects.toMatchObject({ kind: 'not_found' });
      });

      it('may be pushed twice', async () => {
        const blob = randomBlob(1000);
        await putBlob(target, blob);
        await putBlob(target, blob);
        expect(await target.exists(blob.descriptor)).toBe(true);
      });

      it('is read from an offset, or from the start with an offset that says so', async () => {
        const blob = randomBlob(300_000);
        await putBlob(target, blob);
        const content = await target.fetch(blob.descriptor, { offset: 200_000 });
        expect([0, 200_000]).toContain(content.offset);
        expect((await bytesOf(content)).equals(blob.bytes.subarray(content.offset))).toBe(true);
      });

      it.each([
        ['other bytes than its digest says', (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1)],
        ['fewer bytes than its size says', (bytes: Uint8Array) => bytes.subarray(1)],
        ['more bytes than its size says', (bytes: Uint8Array) => Buffer.concat([bytes, bytes])],
      ])('with %s is refused and leaves nothing', async (_, spoil) => {
        const { descriptor, bytes } = randomBlob(200_000);
        await expect(target.push(descriptor, chunked(spoil(bytes)).open)).rejects.toThrow();
        expect(await target.exists(descriptor)).toBe(false);
        await putBlob(target, { descriptor, bytes });
        expect((await bytesOf(await target.fetch(descriptor))).equals(bytes)).toBe(true);
      });

      it('whose source fails half-way leaves nothing, and the fault comes through', async () => {
        const { descriptor, bytes } = randomBlob(400_000);
        let chunks = 0;
        const failing = chunked(bytes, 64 * 1024, async () => {
          chunks += 1;
          if (chunks === 3) throw new Error('the source broke');
        });
        await expect(target.push(descriptor, failing.open)).rejects.toThrow('the source broke');
        expect(await target.exists(descriptor)).toBe(false);
        await putBlob(target, { descriptor, bytes });
        expect(await target.exists(descriptor)).toBe(true);
      });

      it('is told of as it moves, byte for byte', async () => {
        const { descriptor, bytes } = randomBlob(500_000);
        let told = 0;
        await target.push(descriptor, chunked(bytes).open, {
          onBytes: (count) => {
            told += count;
          },
        });
        expect(told).toBe(500_000);
      });

      it('stops moving within a second of an abort', async () => {
        const { descriptor, bytes } = randomBlob(1_000_000);
        const controller = new AbortController();
        const slow = chunked(
          bytes,
          10_000,
          () => new Promise((resolve) => setTimeout(resolve, 20)),
        );
        const pushing = target.push(descriptor, slow.open, { signal: controller.signal });
        setTimeout(() => controller.abort(new Error('cancelled')), 60);
        const started = performance.now();
        await expect(pushing).rejects.toThrow();
        expect(performance.now() - started).toBeLessThan(1000);
        expect(await target.exists(descriptor)).toBe(false);
      });

      it('that is being read can be let go of', async () => {
        const blob = randomBlob(1_000_000);
        await putBlob(target, blob);
        for await (const chunk of await target.fetch(blob.descriptor)) {
          expect(chunk.byteLength).toBeGreaterThan(0);
          break;
        }
        (await target.fetch(blob.descriptor)).cancel();
      });
    });

    describe('a manifest', () => {
      it('is resolved by its digest and by its tag', async () => {
        const image = await buildImage({ layers: [{ 'etc/motd': 'hello' }] });
        await put(target, image);
        await target.tag(image.descriptor, 'v1');
        const wanted = { mediaType: OCI_MANIFEST, digest: image.digest, size: image.bytes.length };
        expect(isDigest(image.digest)).toBe(true);
        expect(await target.resolve(image.digest)).toMatchObject(wanted);
        expect(await target.resolve('v1')).toMatchObject(wanted);
        expect((await bytesOf(await target.fetch(image.descriptor))).equals(image.bytes)).toBe(
          true,
        );
      });

      it('that is not there says not_found', async () => {
        await expect(target.resolve('nope')).rejects.toMatchObject({ kind: 'not_found' });
        await expect(target.resolve(randomBlob(1).descriptor.digest)).rejects.toMatchObject({
          kind: 'not_found',
        });
      });

      it('is put together with its tag', async () => {
        const image = await buildImage({ layers: [{ 'etc/motd': 'tagged at once' }] });
        for (const blob of image.blobs) await putBlob(target, blob);
        await target.push(image.descriptor, chunked(image.bytes).open, { tag: 'at-once' });
        expect((await target.resolve('at-once')).digest).toBe(image.digest);
        expect((await target.resolve(image.digest)).digest).toBe(image.digest);
      });

      it('gives its tag to the next one', async () => {
        const [first, second] = await Promise.all([
          buildImage({ layers: [{ a: '1' }] }),
          buildImage({ layers: [{ a: '2' }] }),
        ]);
        await put(target, first);
        await put(target, second);
        await target.tag(first.descriptor, 'latest');
        await target.tag(second.descriptor, 'latest');
        expect((await target.resolve('latest')).digest).toBe(second.digest);
        expect((await target.resolve(first.digest)).digest).toBe(first.digest);
      });

      it('may be an index, in OCI and docker media types', async () => {
        for (const flavour of ['oci', 'docker'] as const) {
          const image = await buildImage({ layers: [{ a: flavour }], flavour });
          const index = buildIndex([image], { flavour });
          await put(target, index);
          await target.tag(index.descriptor, flavour);
          expect(await target.resolve(flavour)).toMatchObject({
            mediaType: index.descriptor.mediaType,
            digest: index.digest,
          });
        }
      });
    });
  });
}

async function readAll(
  target: Target,
  descriptor: Parameters<Target['fetch']>[0],
): Promise<Buffer> {
  return bytesOf(await target.fetch(descriptor));
}
