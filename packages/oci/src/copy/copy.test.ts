import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  type ArtifactOptions,
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  type TestImage,
} from '@portcullis/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryStore } from '../memory/memory.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { tooLarge, unavailable } from '../oci-error.ts';
import { chunked, randomBlob } from '../target-contract/content.ts';
import type { Target } from './content.ts';
import { copy } from './copy.ts';
import type { CopyProgress } from './progress.ts';
import { memoryOf } from './sample.contract.ts';

const PLATFORMS = ['linux/amd64', 'linux/arm64/v8', 'linux/arm/v6', 'linux/arm/v7'];

async function anImage(text = 'hello', flavour: 'oci' | 'docker' = 'oci'): Promise<TestImage> {
  return buildImage({ layers: [{ base: 'shared' }, { motd: text }], flavour });
}

async function anIndex(
  platforms = PLATFORMS,
  flavour: 'oci' | 'docker' = 'oci',
): Promise<TestImage> {
  const images = platforms.map((platform) =>
    buildImage({ layers: [{ base: 'shared' }, { platform }], platform, flavour }),
  );
  return buildIndex(await Promise.all(images), { flavour });
}

function attestationOf(image: TestImage): TestImage {
  const attestation = buildArtifact({
    layers: [{ mediaType: 'application/vnd.in-toto+json', bytes: Buffer.from('{}') }],
  });
  const annotations = {
    'vnd.docker.reference.type': 'attestation-manifest',
    'vnd.docker.reference.digest': image.digest,
  };
  const platform = { os: 'unknown', architecture: 'unknown' };
  return { ...attestation, descriptor: { ...attestation.descriptor, annotations, platform } };
}

function signatureOf(image: TestImage): TestImage {
  return buildArtifact({
    artifactType: 'application/vnd.example.signature',
    layers: [{ mediaType: 'application/x', bytes: Buffer.from(`signature of ${image.digest}`) }],
    subject: image.descriptor,
  });
}

/** The order in which content arrived at a target. */
function recording(target: Target): { target: Target; log: string[] } {
  const log: string[] = [];
  return {
    log,
    target: {
      ...target,
      async push(descriptor, open, options) {
        await target.push(descriptor, open, options);
        log.push(descriptor.digest, ...(options?.tag === undefined ? [] : [options.tag]));
      },
      async tag(descriptor, tag) {
        await target.tag(descriptor, tag);
        log.push(tag);
      },
    },
  };
}

describe('copy', () => {
  it.each(['oci', 'docker'] as const)(
    'copies an image of %s media types, byte for byte',
    async (flavour) => {
      const image = await anImage('x', flavour);
      const target = createMemoryStore();
      const result = await copy(await memoryOf(image), image.digest, target, { targetTag: 'v1' });
      expect(result.root).toMatchObject({
        digest: image.digest,
        mediaType: image.descriptor.mediaType,
      });
      expect(Buffer.from(target.contents.get(image.digest) ?? []).equals(image.bytes)).toBe(true);
      expect(target.tags.get('v1')?.digest).toBe(image.digest);
      expect(target.contents.size).toBe(4);
      expect(result.size).toBe(
        [...target.contents.values()].reduce((sum, { byteLength }) => sum + byteLength, 0),
      );
      expect(result).toMatchObject({ bytesMoved: result.size, bytesReused: 0, bytesMounted: 0 });
    },
  );

  it('copies an index completely, and shared blobs once', async () => {
    const index = await anIndex();
    const target = createMemoryStore();
    const source = await memoryOf(index);
    await copy(source, index.digest, target);
    expect(new Set(target.contents.keys())).toEqual(new Set(source.contents.keys()));
    expect(new Set(source.fetched).size).toBe(source.fetched.length);
  });

  it('stores children before parents and tags last', async () => {
    const index = await anIndex();
    const { target, log } = recording(createMemoryStore());
    await copy(await memoryOf(index), index.digest, target, { targetTag: 'v1', concurrency: 4 });
    expect(log.slice(-2)).toEqual([index.digest, 'v1']);
    for (const child of index.children) {
      for (const { descriptor } of child.blobs)
        expect(log.indexOf(descriptor.digest)).toBeLessThan(log.indexOf(child.digest));
    }
  });

  it('copies nothing below a manifest that the target has', async () => {
    const index = await anIndex();
    const target = createMemoryStore();
    const source = await memoryOf(index);
    await copy(source, index.digest, target);
    source.fetched.length = 0;
    const again = await copy(source, index.digest, target, { targetTag: 'again' });
    expect(again).toMatchObject({ bytesMoved: 0, bytesReused: again.size });
    expect(source.fetched.sort()).toEqual(
      [index, ...index.children].map(({ digest }) => digest).sort(),
    );
  });

  it('transfers only the layers that the target lacks', async () => {
    const [first, second] = [await anImage('1'), await anImage('2')];
    const target = createMemoryStore();
    await copy(await memoryOf(first), first.digest, target);
    const result = await copy(await memoryOf(second), second.digest, target);
    expect(result.bytesReused).toBe(first.blobs[1]?.descriptor.size);
    expect(result.bytesMoved).toBe(result.size - result.bytesReused);
  });

  it('resolves a tag once, and accepts a resolved root', async () => {
    const image = await anImage();
    const source = await memoryOf(image);
    await source.tag(image.descriptor, 'v1');
    const resolve = vi.spyOn(source, 'resolve');
    await copy(source, 'v1', createMemoryStore());
    expect(resolve).toHaveBeenCalledTimes(1);
    await copy(source, 'gone', createMemoryStore(), { root: image.descriptor });
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it('mounts what the target can mount, and transfers the rest', async () => {
    const image = await anImage();
    const memory = createMemoryStore();
    const [config, base, top] = image.blobs;
    const target: Target = {
      ...memory,
      async mount(descriptor, from) {
        if (from !== 'library/base' || descriptor.digest !== base?.descriptor.digest) return false;
        await memory.push(descriptor, chunked(base.bytes).open);
        return true;
      },
    };
    const digests: string[] = [];
    const result = await copy(await memoryOf(image), image.digest, target, {
      mountFrom: (descriptor) => {
        digests.push(descriptor.digest);
        return ['library/other', 'library/base'];
      },
    });
    expect(result.bytesMounted).toBe(base?.descriptor.size);
    expect(new Set(digests)).toEqual(
      new Set([config, base, top].map((blob) => blob?.descriptor.digest)),
    );
  });

  it('sends only the mount request for blobs that can be mounted', async () => {
    const image = await anImage();
    const target: Target = { ...createMemoryStore(), mount: async () => true };
    const exists = vi.spyOn(target, 'exists');
    await copy(await memoryOf(image), image.digest, target, { mountFrom: () => ['library/base'] });
    expect(exists.mock.calls.map(([{ digest }]) => digest)).toEqual([image.digest]);
  });

  describe('platforms', () => {
    it('with one match copies that manifest instead of the index', async () => {
      const index = await anIndex();
      const target = createMemoryStore();
      const { root } = await copy(await memoryOf(index), index.digest, target, {
        platforms: ['linux/amd64'],
      });
      expect(root.digest).toBe(index.children[0]?.digest);
      expect(target.contents.has(index.digest)).toBe(false);
    });

    it('treat linux/arm64 as linux/arm64/v8', async () => {
      const index = await anIndex(['linux/amd64', 'linux/arm64']);
      const { root } = await copy(await memoryOf(index), index.digest, createMemoryStore(), {
        platforms: ['linux/arm64/v8'],
      });
      expect(root.digest).toBe(index.children[1]?.digest);
    });

    it.each(['oci', 'docker'] as const)(
      'with several matching images writes a new %s index of these',
      async (flavour) => {
        const index = await anIndex(PLATFORMS, flavour);
        const target = createMemoryStore();
        const { root } = await copy(await memoryOf(index), index.digest, target, {
          platforms: ['linux/amd64', 'linux/arm'],
          reducedFrom: 'com.example.reduced-from',
        });
        const written = JSON.parse(Buffer.from(target.contents.get(root.digest) ?? []).toString());
        expect(written.mediaType).toBe(index.descriptor.mediaType);
        expect(written.manifests).toHaveLength(3);
        expect(written.annotations?.['com.example.reduced-from']).toBe(
          flavour === 'oci' ? index.digest : undefined,
        );
        expect((await target.resolve(root.digest)).size).toBe(root.size);
      },
    );

    it('keep the index when all of it is selected, with its attestations', async () => {
      const plain = await anIndex(['linux/amd64', 'linux/arm64']);
      const index = buildIndex([...plain.children, ...plain.children.map(attestationOf)]);
      const { root } = await copy(await memoryOf(index), index.digest, createMemoryStore(), {
        platforms: ['linux/amd64', 'linux/arm64'],
      });
      expect(root.digest).toBe(index.digest);
    });

    it('report the available platforms when one is missing', async () => {
      const index = await anIndex(['linux/amd64']);
      await expect(
        copy(await memoryOf(index), index.digest, createMemoryStore(), {
          platforms: ['linux/riscv64'],
        }),
      ).rejects.toMatchObject({
        code: 'PLATFORM_UNKNOWN',
        side: 'source',
        detail: { available: ['linux/amd64'] },
      });
    });

    async function copiedAs(image: TestImage, ...platforms: string[]) {
      const source = await memoryOf(image);
      return (await copy(source, image.digest, createMemoryStore(), { platforms })).root.digest;
    }

    const single = (platform: string) => buildImage({ layers: [{ platform }], platform });

    it.each([
      ['linux/amd64', ['linux/amd64']],
      ['linux/arm64', ['linux/arm64']],
      ['linux/arm64', ['linux/arm64/v8']],
      ['linux/arm/v7', ['linux/arm', 'linux/arm/v7']],
      ['windows/amd64', ['windows/amd64']],
    ])('are those of a single image for %s by its configuration: %j', async (has, wanted) => {
      const image = await single(has);
      expect(await copiedAs(image, ...wanted)).toBe(image.digest);
    });

    it.each([
      ['linux/amd64', ['linux/arm64']],
      ['linux/amd64', ['linux/amd64', 'linux/arm64']],
      ['linux/arm/v6', ['linux/arm/v7']],
      ['linux/amd64', ['windows/amd64']],
    ])('of a single image for %s are refused where it lacks one: %j', async (has, wanted) => {
      await expect(copiedAs(await single(has), ...wanted)).rejects.toMatchObject({
        code: 'PLATFORM_UNKNOWN',
        side: 'source',
        detail: { available: [has] },
      });
    });

    it.each([
      ['names no platform', '{"rootfs":{"type":"layers","diff_ids":[]}}'],
      ['names half of one', '{"os":"linux","rootfs":{"type":"layers","diff_ids":[]}}'],
      ['can be read in two ways', '{"os":"linux","architecture":"amd64","OS":"x","os":"linux"}'],
      ['is no JSON', 'os: linux'],
    ])('are refused where the configuration of a single image %s', async (_, text) => {
      const image = buildArtifact({
        config: {
          mediaType: 'application/vnd.oci.image.config.v1+json',
          bytes: Buffer.from(text),
        },
        layers: [],
      });
      await expect(copiedAs(image, 'linux/amd64')).rejects.toMatchObject({
        code: 'PLATFORM_UNKNOWN',
        detail: { available: [] },
      });
    });

    it('do not affect an artifact, which has none', async () => {
      const artifact = signatureOf(await anImage());
      expect(await copiedAs(artifact, 'linux/arm64')).toBe(artifact.digest);
    });
  });

  describe('referrers', () => {
    it("are copied on request, including those of an index's images, and their own referrers", async () => {
      const index = await anIndex(['linux/amd64', 'linux/arm64']);
      const signature = signatureOf(index);
      const sbom = signatureOf(index.children[0] ?? index);
      const countersigned = signatureOf(signature);
      const source = await memoryOf(index, signature, sbom, countersigned);
      const without = createMemoryStore();
      await copy(source, index.digest, without);
      expect(without.contents.has(signature.digest)).toBe(false);
      const { target, log } = recording(createMemoryStore());
      await copy(source, index.digest, target, { includeReferrers: true, targetTag: 'v1' });
      expect(log).toEqual(
        expect.arrayContaining([signature.digest, sbom.digest, countersigned.digest]),
      );
      expect(log.indexOf(signature.digest)).toBeGreaterThan(log.indexOf(index.digest));
      expect(log.at(-1)).toBe('v1');
    });

    it('as cosign tags keep their tags', async () => {
      const image = await anImage();
      const signature = buildArtifact({
        layers: [{ mediaType: 'application/x', bytes: Buffer.from('s') }],
      });
      const source = await memoryOf(image, signature);
      const tag = `${image.digest.replace(':', '-')}.sig`;
      await source.tag(signature.descriptor, tag);
      const target = createMemoryStore();
      await copy(source, image.digest, target, { includeReferrers: true });
      expect((await target.resolve(tag)).digest).toBe(signature.digest);
    });

    const IMAGE_CONFIG = {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      bytes: Buffer.from('{"rootfs":{"type":"layers","diff_ids":[]}}'),
    };
    const FILES = gzipSync('x'.repeat(1024));
    const referrer =
      (bytes: Uint8Array, config?: ArtifactOptions['config']) => (subject: TestImage) =>
        buildArtifact({
          ...(config && { config }),
          layers: [{ mediaType: 'a/b', bytes }],
          subject: subject.descriptor,
        });

    it.each<[string, (subject: TestImage) => TestImage]>([
      ['a signature of cosign', referrer(Buffer.from('{"critical":{}}'), IMAGE_CONFIG)],
      ['an SBOM in plain text', referrer(Buffer.from('SPDXVersion: SPDX-2.3\n'), IMAGE_CONFIG)],
      ['an artifact with a configuration and files', referrer(FILES)],
      ['an artifact with other bytes', referrer(randomBytes(100))],
    ])('that are %s are copied', async (_, build) => {
      const image = await anImage();
      const added = build(image);
      const target = createMemoryStore();
      const { leftBehind } = await copy(await memoryOf(image, added), image.digest, target, {
        includeReferrers: true,
      });
      expect(leftBehind).toEqual([]);
      expect(target.contents.has(added.digest)).toBe(true);
    });

    it.each<[string, (subject: TestImage) => TestImage]>([
      ['an image', referrer(FILES, IMAGE_CONFIG)],
      [
        'an image that calls its configuration something else',
        referrer(FILES, { ...IMAGE_CONFIG, mediaType: 'a/b' }),
      ],
      ['an image with an encrypted layer', referrer(randomBytes(1024), IMAGE_CONFIG)],
      ['an index of an image', (subject) => buildIndex([referrer(FILES, IMAGE_CONFIG)(subject)])],
      [
        'a SOCI index, from which an engine makes the files of an image',
        referrer(randomBytes(100), {
          mediaType: 'application/vnd.amazon.soci.index.v1+json',
          bytes: Buffer.from('{}'),
        }),
      ],
    ])('that are %s are not copied, nor their tags (S3)', async (_, build) => {
      const image = await anImage();
      const added = build(image);
      const source = await memoryOf(image, added);
      const tag = `${image.digest.replace(':', '-')}.sig`;
      await source.tag(added.descriptor, tag);
      const target = createMemoryStore();
      const options = { includeReferrers: true, targetTag: 'v1' };
      const { leftBehind, root } = await copy(source, image.digest, target, options);
      expect(root.digest).toBe(image.digest);
      expect(new Set(leftBehind.map(({ name }) => name))).toEqual(
        new Set([added, ...added.children].map(({ digest }) => digest)),
      );
      expect(leftBehind.every(({ code }) => code === 'REFERRER_IS_IMAGE')).toBe(true);
      expect([...target.contents.keys()].sort()).toEqual(
        [...image.blobs.map(({ descriptor }) => descriptor.digest), image.digest].sort(),
      );
      expect([...target.tags.keys()]).toEqual(['v1']);
    });

    it('are not checked again if they are part of the image itself', async () => {
      const child = await anImage();
      const index = buildIndex([child]);
      const source = await memoryOf(index);
      await source.tag(child.descriptor, `${index.digest.replace(':', '-')}.sig`);
      const target = createMemoryStore();
      const { leftBehind } = await copy(source, index.digest, target, { includeReferrers: true });
      expect(leftBehind).toEqual([]);
      expect([...target.tags.keys()]).toEqual([`${index.digest.replace(':', '-')}.sig`]);
    });
  });

  describe('progress', () => {
    it('is reported a few times a second, and completely at the end', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      let seconds = 0;
      const image = await anImage();
      const source = await memoryOf(image);
      const slow: typeof source = {
        ...source,
        async fetch(descriptor, options) {
          vi.advanceTimersByTime(1_000);
          seconds += 1;
          return source.fetch(descriptor, options);
        },
      };
      const reports: CopyProgress[] = [];
      const { size } = await copy(slow, image.digest, createMemoryStore(), {
        concurrency: 1,
        onProgress: (now) => reports.push(now),
      });
      expect(seconds).toBeGreaterThanOrEqual(3);
      // The first second is that of the manifest, before there is a size to report.
      expect(reports.length).toBe((seconds - 1) * 4 + 1);
      expect(reports.at(-1)).toMatchObject({
        bytesDone: size,
        bytesTotal: size,
        blobsDone: 3,
        blobsTotal: 3,
      });
      const done = reports.map(({ bytesDone }) => bytesDone);
      expect(done).toEqual(done.toSorted((one, other) => one - other));
    });

    it('with a throwing listener ends the copy with that error', async () => {
      const image = await anImage();
      const onProgress = () => {
        throw new Error('the listener broke');
      };
      await expect(
        copy(await memoryOf(image), image.digest, createMemoryStore(), { onProgress }),
      ).rejects.toThrow('the listener broke');
    });
  });

  describe('a fault', () => {
    it('of the source is marked as such, even when it passes through the target', async () => {
      const image = await anImage();
      const source = await memoryOf(image);
      const broken: typeof source = {
        ...source,
        async fetch(descriptor, options) {
          if (descriptor.digest !== image.digest) throw unavailable('GONE', 'the source is gone');
          return source.fetch(descriptor, options);
        },
      };
      await expect(copy(broken, image.digest, createMemoryStore())).rejects.toMatchObject({
        code: 'GONE',
        side: 'source',
      });
    });

    it('of the target is marked as such', async () => {
      const image = await anImage();
      const target: Target = {
        ...createMemoryStore(),
        push: async () => Promise.reject(tooLarge('FULL', 'no room')),
      };
      await expect(copy(await memoryOf(image), image.digest, target)).rejects.toMatchObject({
        code: 'FULL',
        side: 'target',
      });
    });

    it('of one blob stops the others', async () => {
      const layers = Array.from({ length: 8 }, (_, n) => ({
        mediaType: 'application/x',
        bytes: randomBlob(1000 + n).bytes,
      }));
      const image = buildArtifact({ layers });
      const memory = createMemoryStore();
      let pushed = 0;
      const target: Target = {
        ...memory,
        async push(descriptor, open, options) {
          pushed += 1;
          if (pushed === 1) throw unavailable('BROKEN', 'broken');
          return memory.push(descriptor, open, options);
        },
      };
      const copying = copy(await memoryOf(image), image.digest, target, { concurrency: 3 });
      await expect(copying).rejects.toMatchObject({ code: 'BROKEN' });
      expect(pushed).toBeLessThanOrEqual(3);
      expect(memory.contents.has(image.digest)).toBe(false);
    });

    it('in manifest bytes that do not match their digest is refused', async () => {
      const image = await anImage();
      const source = await memoryOf(image);
      const root = { ...image.descriptor, digest: randomBlob(1).descriptor.digest };
      const lying: typeof source = { ...source, fetch: () => source.fetch(image.descriptor) };
      await expect(copy(lying, 'v1', createMemoryStore(), { root })).rejects.toMatchObject({
        code: 'DIGEST_MISMATCH',
        side: 'source',
      });
    });

    it('of a target that stored other content is detected', async () => {
      const image = await anImage();
      const other = await anImage('other');
      const memory = createMemoryStore();
      const target: Target = { ...memory, resolve: async () => other.descriptor };
      await expect(
        copy(await memoryOf(image), image.digest, target, { targetTag: 'v1' }),
      ).rejects.toMatchObject({
        code: 'TARGET_DIGEST_MISMATCH',
        side: 'target',
      });
    });

    it('of a missing foreign layer names the layer, and its urls are not requested', async () => {
      const foreign = blobOf(
        'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
        randomBlob(10).bytes,
      );
      const urls = ['https://example.com/layer'];
      const { bytes, descriptor } = blobOf(
        'application/vnd.oci.image.manifest.v1+json',
        Buffer.from(
          JSON.stringify({
            schemaVersion: 2,
            config: { ...randomBlob(2).descriptor },
            layers: [{ ...foreign.descriptor, urls }],
          }),
        ),
      );
      const source = createMemoryStore();
      const config: Descriptor = JSON.parse(Buffer.from(bytes).toString()).config;
      await source.push(descriptor, chunked(bytes).open);
      const target: Target = {
        ...createMemoryStore(),
        exists: async ({ digest }) => digest === config.digest,
      };
      await expect(copy(source, descriptor.digest, target)).rejects.toMatchObject({
        code: 'LAYER_FOREIGN',
        side: 'source',
        detail: { digest: foreign.descriptor.digest, urls },
      });
    });
  });

  describe('a bound', () => {
    it('on depth is enforced', async () => {
      let nested: TestImage = await anImage();
      for (let depth = 0; depth < 4; depth += 1) nested = buildIndex([nested]);
      const copying = copy(await memoryOf(nested), nested.digest, createMemoryStore());
      await expect(copying).rejects.toMatchObject({ code: 'MANIFEST_TOO_DEEP', side: 'source' });
    });

    it('on width is enforced', async () => {
      const index = await anIndex();
      const copying = copy(await memoryOf(index), index.digest, createMemoryStore(), {
        maxWidth: 3,
      });
      await expect(copying).rejects.toMatchObject({ code: 'MANIFEST_TOO_WIDE', side: 'source' });
    });

    it('on the size of a manifest is enforced before it is read', async () => {
      const image = await anImage();
      const source = await memoryOf(image);
      const copying = copy(source, image.digest, createMemoryStore(), { maxManifestBytes: 100 });
      await expect(copying).rejects.toMatchObject({ code: 'MANIFEST_TOO_LARGE', side: 'source' });
      expect(source.fetched).toEqual([]);
    });
  });

  it('stops at an abort, with its reason', async () => {
    let chunks = 0;
    const controller = new AbortController();
    const image = buildArtifact({
      layers: [{ mediaType: 'application/x', bytes: randomBlob(1_000_000).bytes }],
    });
    const source = await memoryOf(image);
    const slow: typeof source = {
      ...source,
      async fetch(descriptor, options) {
        if (descriptor.digest === image.digest) return source.fetch(descriptor, options);
        return chunked(
          source.contents.get(descriptor.digest) ?? new Uint8Array(),
          10_000,
          async () => {
            chunks += 1;
            if (chunks === 3) controller.abort(new Error('cancelled by a user'));
          },
        ).open({});
      },
    };
    await expect(
      copy(slow, image.digest, createMemoryStore(), { signal: controller.signal }),
    ).rejects.toThrow('cancelled by a user');
    // The whole content has a hundred.
    expect(chunks).toBeLessThan(10);
  });

  it('copies a child of an index that is not a manifest as a blob', async () => {
    const layer = randomBlob(100);
    const { bytes, descriptor } = blobOf(
      'application/vnd.oci.image.index.v1+json',
      Buffer.from(JSON.stringify({ schemaVersion: 2, manifests: [layer.descriptor] })),
    );
    const source = createMemoryStore();
    await source.push(layer.descriptor, chunked(layer.bytes).open);
    await source.push(descriptor, chunked(bytes).open);
    const target = createMemoryStore();
    await copy(source, descriptor.digest, target);
    expect(target.contents.has(layer.descriptor.digest)).toBe(true);
  });
});
