import { lstat, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildArtifact,
  buildImage,
  buildIndex,
  imageWithManifestOf,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf } from '../copy/buffered.ts';
import type { Content, Source } from '../copy/content.ts';
import { copy } from '../copy/copy.ts';
import { memoryOf, put, sha512Blob } from '../copy/sample.contract.ts';
import { describeTarget } from '../copy/target.contract.ts';
import { createMemoryStore } from '../memory/memory.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { encodedOf } from '../model/digest.ts';
import { MAX_MANIFEST_BYTES } from '../model/manifest.ts';
import { isManifestType } from '../model/media-type.ts';
import { notFound } from '../oci-error.ts';
import { bytesOf, chunked, putBlob, randomBlob } from '../target-contract/content.ts';
import { type BlobCache, openBlobCache } from './blob-cache.ts';
import { openLayout } from './layout.ts';

describeTarget('layout', async () => {
  const dir = await temporaryDir();
  const cache = openBlobCache(join(dir.path, 'cache'));
  return { target: openLayout(join(dir.path, 'layout'), cache), close: () => dir.remove() };
});

describe('layout', () => {
  let dir: TemporaryDir;
  let cache: BlobCache;
  const layoutAt = (name: string) => openLayout(join(dir.path, name), cache);
  beforeEach(async () => {
    dir = await temporaryDir();
    cache = openBlobCache(join(dir.path, 'cache'));
  });
  afterEach(() => dir.remove());

  it('is an OCI image layout on disk', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    await copy(await memoryOf(image), image.digest, layoutAt('one'), { targetTag: 'v1' });
    const read = async (name: string) =>
      JSON.parse(await readFile(join(dir.path, 'one', name), 'utf8'));
    expect(await read('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
    expect(await read('index.json')).toMatchObject({
      schemaVersion: 2,
      manifests: [
        { digest: image.digest, annotations: { 'org.opencontainers.image.ref.name': 'v1' } },
      ],
    });
  });

  it.each([[200 * 1024], [512 * 1024 + 1], [1024 * 1024], [MAX_MANIFEST_BYTES]])(
    'F3: a manifest of %i bytes is read from the disk as it was written there',
    async (size) => {
      const image = await imageWithManifestOf(size);
      const layout = layoutAt('one');
      await copy(await memoryOf(image), image.digest, layout, { targetTag: 'v1' });
      const target = createMemoryStore();
      await copy(layout, 'v1', target, { targetTag: 'v1' });
      expect(Buffer.from(target.contents.get(image.digest) ?? []).equals(image.bytes)).toBe(true);
    },
  );

  it('shares each blob with the cache and with other layouts: one inode, no symbolic link', async () => {
    const blob = randomBlob(1000);
    await putBlob(layoutAt('one'), blob);
    await putBlob(layoutAt('two'), blob);
    const name = encodedOf(blob.descriptor.digest);
    const stats = await Promise.all(
      ['one/blobs/sha256', 'two/blobs/sha256', 'cache/sha256'].map((at) =>
        lstat(join(dir.path, at, name)),
      ),
    );
    expect(new Set(stats.map(({ ino }) => ino)).size).toBe(1);
    expect(stats.every((stat) => stat.isFile() && stat.nlink === 3)).toBe(true);
  });

  it('never opens the source of a blob that is in the cache', async () => {
    const { descriptor, bytes } = randomBlob(1000);
    await putBlob(layoutAt('one'), { descriptor, bytes });
    const source = chunked(bytes);
    const counted: [number, string][] = [];
    await layoutAt('two').push(descriptor, source.open, {
      onBytes: (...seen) => counted.push(seen),
    });
    expect(source.opened).toBe(0);
    expect(counted).toEqual([[1000, 'reused']]);
  });

  it.each<[string, string, (blob: Descriptor) => Promise<Content>]>([
    [
      'does not serve to this account',
      'BLOB_UNKNOWN',
      async ({ digest }) => {
        throw notFound('BLOB_UNKNOWN', `there is no ${digest}`);
      },
    ],
    [
      'only claims to have: other bytes',
      'DIGEST_MISMATCH',
      async ({ size }) => contentOf(new Uint8Array(size).fill(1)),
    ],
    ['only claims to have: no bytes', 'DIGEST_MISMATCH', async () => contentOf(new Uint8Array(0))],
  ])('does not use a cached blob that the source %s', async (_, code, fetchBlob) => {
    const image = await buildImage({ layers: [{ secret: 'of another account' }] });
    await copy(await memoryOf(image), image.digest, layoutAt('theirs'));
    const memory = await memoryOf(image);
    const stranger: Source = {
      ...memory,
      fetch: (blob, options) =>
        isManifestType(blob.mediaType) ? memory.fetch(blob, options) : fetchBlob(blob),
    };
    const attempt = copy(stranger, image.digest, layoutAt('ours'));
    await expect(attempt).rejects.toMatchObject({ code, side: 'source' });
    expect(await readdir(join(dir.path, 'ours/blobs/sha256'))).toEqual([]);
  });

  it('stores sha512 blobs separately', async () => {
    const blob = sha512Blob(1000);
    const layout = layoutAt('one');
    await putBlob(layout, blob);
    expect((await bytesOf(await layout.fetch(blob.descriptor))).equals(blob.bytes)).toBe(true);
    expect(await readdir(join(dir.path, 'one/blobs/sha512'))).toEqual([
      encodedOf(blob.descriptor.digest),
    ]);
  });

  it('does not follow a symbolic link in place of a blob, and replaces it', async () => {
    const blob = randomBlob(1000);
    const layout = layoutAt('one');
    await putBlob(layout, blob);
    const path = join(dir.path, 'one/blobs/sha256', encodedOf(blob.descriptor.digest));
    const elsewhere = join(dir.path, 'elsewhere');
    await writeFile(elsewhere, blob.bytes);
    await rm(path);
    await symlink(elsewhere, path);
    expect(await layout.exists(blob.descriptor)).toBe(false);
    await expect(layout.fetch(blob.descriptor)).rejects.toMatchObject({ code: 'BLOB_UNKNOWN' });
    await putBlob(layout, blob);
    expect((await lstat(path)).isFile()).toBe(true);
  });

  it('refuses a descriptor with a wrong size for a stored blob', async () => {
    const { descriptor, bytes } = randomBlob(1000);
    const layout = layoutAt('one');
    await putBlob(layout, { descriptor, bytes });
    const lie = { ...descriptor, size: 999 };
    await expect(layout.push(lie, chunked(bytes).open)).rejects.toMatchObject({
      code: 'SIZE_MISMATCH',
    });
  });

  it('lists every manifest once, with the platform from its index', async () => {
    const images = await Promise.all(
      ['linux/amd64', 'linux/arm64'].map((platform) =>
        buildImage({ layers: [{ a: platform }], platform }),
      ),
    );
    const index = buildIndex(images);
    const layout = layoutAt('one');
    await copy(await memoryOf(index), index.digest, layout, { targetTag: 'v1' });
    await layout.tag(index.descriptor, 'v2');
    const listed = await layout.manifests();
    expect(listed.map(({ digest }) => digest).sort()).toEqual(
      [index, ...images].map(({ digest }) => digest).sort(),
    );
    expect(listed.map(({ platform }) => platform?.architecture).sort()).toEqual([
      'amd64',
      'arm64',
      undefined,
    ]);
    expect((await layout.resolve('v1')).digest).toBe((await layout.resolve('v2')).digest);
  });

  it('ignores tags in the annotations of a pushed descriptor', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    const annotations = { 'org.opencontainers.image.ref.name': 'latest', kept: 'yes' };
    const layout = layoutAt('one');
    await put(layout, { ...image, descriptor: { ...image.descriptor, annotations } });
    await expect(layout.resolve('latest')).rejects.toMatchObject({ kind: 'not_found' });
    expect((await layout.manifests())[0]?.annotations).toEqual({ kept: 'yes' });
  });

  it('does not report a manifest that a crash left only as a blob, so that it is pushed again', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    const layout = layoutAt('one');
    await put(layout, image);
    await rm(join(dir.path, 'one/index.json'));
    expect(await layout.exists(image.descriptor)).toBe(false);
    await copy(await memoryOf(image), image.digest, layout);
    expect((await layout.resolve(image.digest)).digest).toBe(image.digest);
  });

  it('lists the referrers of a manifest', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    const signature = buildArtifact({
      artifactType: 'application/vnd.example.signature',
      layers: [{ mediaType: 'application/x', bytes: Buffer.from('signed') }],
      subject: image.descriptor,
    });
    const layout = layoutAt('one');
    await put(layout, image);
    await put(layout, signature);
    expect((await layout.referrers?.(image.digest))?.map(({ digest }) => digest)).toEqual([
      signature.digest,
    ]);
  });

  it('reads each manifest once to list the referrers of several', async () => {
    const image = await buildImage({ layers: [{ a: 'b' }] });
    const signature = buildArtifact({ layers: [], subject: image.descriptor });
    const layout = layoutAt('one');
    await put(layout, image);
    await put(layout, signature);
    expect(await layout.referrers(signature.digest)).toEqual([]);
    await rm(layout.fileOf(signature.digest));
    expect(await layout.referrers(image.digest)).toHaveLength(1);
  });

  it('shows at once what another process wrote to it', async () => {
    const [one, other] = [layoutAt('one'), layoutAt('one')];
    for (const a of ['1', '2', '3']) {
      const image = await buildImage({ layers: [{ a }] });
      await put(a === '2' ? other : one, image);
      for (const layout of [one, other])
        expect((await layout.resolve(image.digest)).digest).toBe(image.digest);
    }
    expect(await one.manifests()).toEqual(await other.manifests());
  });

  it('reports its removal during a write', async () => {
    const layout = layoutAt('one');
    await putBlob(layout, randomBlob(10));
    await rm(join(dir.path, 'one'), { recursive: true });
    await expect(putBlob(layout, randomBlob(10))).rejects.toMatchObject({ code: 'LAYOUT_GONE' });
  });

  it('keeps all manifests of many concurrent pushes', async () => {
    const images = await Promise.all(
      Array.from({ length: 12 }, (_, n) => buildImage({ layers: [{ a: `${n}` }] })),
    );
    const layout = layoutAt('one');
    await Promise.all(images.map((image) => put(layout, image)));
    expect(await layout.manifests()).toHaveLength(12);
  });
});
