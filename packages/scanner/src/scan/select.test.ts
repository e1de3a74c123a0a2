import { randomBytes } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import {
  buildArtifact,
  buildImage,
  buildIndex,
  helmChart,
  scratchImage,
  sha256,
  type TestImage,
  tar,
  temporaryDir,
  writeLayout,
} from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { select } from './select.ts';

async function selected(image: TestImage) {
  await using dir = await temporaryDir();
  await writeLayout(dir.path, image);
  return await select(dir.path, [{ digest: image.digest, platform: null }]);
}

const IMAGE_CONFIG = {
  mediaType: 'application/vnd.oci.image.config.v1+json',
  bytes: Buffer.from('{"rootfs":{"type":"layers","diff_ids":[]}}'),
};
const STATEMENT = Buffer.from('{"_type":"https://in-toto.io/Statement/v1","subject":[]}');
const layerOf = (mediaType: string, bytes: Uint8Array = STATEMENT) => ({ mediaType, bytes });

/** Bytes that an index lists. */
function blobImage(mediaType: string, bytes: Uint8Array): TestImage {
  const digest = sha256(bytes);
  const descriptor = { mediaType, digest, size: bytes.length };
  return { descriptor, bytes, digest, blobs: [], children: [] };
}

function attestation(bytes?: Uint8Array): TestImage {
  return buildArtifact({
    config: IMAGE_CONFIG,
    layers: [layerOf('application/vnd.in-toto+json', bytes)],
  });
}

/**
 * A tar archive that is valid JSON as well: the name, the link name and the content are inside one
 * string of it.
 */
function archiveOfJson(): Buffer {
  const header = Buffer.alloc(512, ' ');
  header.write('{"_type":"x', 0, 'latin1');
  for (const [at, octal] of [
    [100, '0000644'],
    [108, '0000000'],
    [116, '0000000'],
    [124, '00000000000'],
    [136, '00000000000'],
  ] as const)
    header.write(`${octal} `, at, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('"}', 500, 'latin1');
  header.write(
    `${header
      .reduce((total, byte) => total + byte, 0)
      .toString(8)
      .padStart(6, '0')}  `,
    148,
    'latin1',
  );
  return header;
}

describe("the scanner's input from a layout", () => {
  it('is a single image', async () => {
    const image = await scratchImage();
    const { images } = await selected(image);
    expect(images.map(({ digest, platform }) => [digest, platform])).toEqual([
      [image.digest, null],
    ]);
  });

  it('is every image of an index, with its platform, including nested indexes', async () => {
    const [one, two, three] = await Promise.all([
      scratchImage({ platform: 'linux/amd64' }),
      scratchImage({ platform: 'linux/arm64/v8' }),
      scratchImage({ platform: 'linux/riscv64' }),
    ]);
    const { images } = await selected(buildIndex([one, buildIndex([two, three])]));
    expect(images.map((image) => image.platform)).toEqual([
      'linux/amd64',
      'linux/arm64/v8',
      'linux/riscv64',
    ]);
  });

  it('includes a real image that an index labels as an attestation', async () => {
    const image = await scratchImage({ platform: 'unknown/unknown' });
    expect((await selected(buildIndex([image]))).images).toHaveLength(1);
  });

  it('includes no attestation beside an image', async () => {
    const selection = await selected(buildIndex([await scratchImage(), attestation()]));
    expect(selection).toMatchObject({
      artifacts: [{ type: 'application/vnd.in-toto+json', isOpaque: false }],
      unreadable: [],
    });
    expect(selection.images).toHaveLength(1);
  });

  it.each([
    ['a chart', () => helmChart(), 'application/vnd.cncf.helm.config.v1+json'],
    [
      'a signature',
      async () =>
        buildArtifact({
          config: IMAGE_CONFIG,
          layers: [layerOf('application/vnd.dev.cosign.simplesigning.v1+json')],
        }),
      'application/vnd.dev.cosign.simplesigning.v1+json',
    ],
    [
      'an artifact',
      async () => buildArtifact({ artifactType: 'application/x', layers: [layerOf('text/plain')] }),
      'application/x',
    ],
  ])('excludes %s', async (_, build, artifact) => {
    expect(await selected(await build())).toMatchObject({
      images: [],
      artifacts: [{ type: artifact, isOpaque: artifact.includes('helm') }],
      unreadable: [],
    });
  });

  it.each<[string, (files: Uint8Array) => Uint8Array]>([
    ['packed by gzip', (files) => gzipSync(files)],
    ['packed by zstd', (files) => zstdCompressSync(files)],
    ['not packed', (files) => files],
    ['packed by bzip2, which we cannot unpack', () => Buffer.from('BZh91AY&SY')],
    ['that is valid JSON as well', archiveOfJson],
    ['that is encrypted', () => randomBytes(2048)],
    ['that is text, but no JSON', () => Buffer.from('SPDXVersion: SPDX-2.3\n')],
    ['that is empty', () => Buffer.alloc(0)],
  ])(
    'is unreadable where a layer says it is an attestation and holds an archive %s (S2)',
    async (_, pack) => {
      const statement = attestation(pack(await tar({ 'bin/sh': 'x' })));
      const selection = await selected(buildIndex([await scratchImage(), statement]));
      expect(selection.images).toHaveLength(1);
      expect(selection.artifacts).toEqual([]);
      expect(selection.unreadable).toMatchObject([
        { part: 'layer', mediaType: 'application/vnd.in-toto+json' },
      ]);
    },
  );

  it.each([
    'application/vnd.example.config.v1+json',
    'application/octet-stream',
    'application/json',
    'text/html',
    'text/plain',
  ])('is an image whose configuration has the media type %s (S2)', async (mediaType) => {
    const layer = layerOf('application/vnd.oci.image.layer.v1.tar', await tar({ a: 'b' }));
    const image = buildArtifact({ config: { ...IMAGE_CONFIG, mediaType }, layers: [layer] });
    const selection = await selected(buildIndex([await scratchImage(), image]));
    expect(selection).toMatchObject({ artifacts: [], unreadable: [] });
    expect(selection.images.map(({ digest }) => digest)).toContain(image.digest);
  });

  it('has an unreadable image where a configuration is too large to be one', async () => {
    const bytes = Buffer.alloc(8 * 1024 * 1024 + 1, ' ');
    bytes.write('{"rootfs":{}', 0);
    bytes.write('}', bytes.length - 1);
    const layer = layerOf('application/vnd.oci.image.layer.v1.tar', await tar({ a: 'b' }));
    const image = buildArtifact({ config: { mediaType: 'text/html', bytes }, layers: [layer] });
    expect((await selected(image)).unreadable).toMatchObject([{ part: 'config' }]);
  });

  it('reads no layer of a build cache as a manifest', async () => {
    const layer = 'application/vnd.oci.image.layer.v1.tar+gzip';
    const cacheConfig = 'application/vnd.buildkit.cacheconfig.v0';
    const cache = buildIndex([
      blobImage(layer, gzipSync(await tar({ a: 'b' }))),
      blobImage(cacheConfig, Buffer.from('{"layers":[],"records":[]}')),
    ]);
    expect(await selected(cache)).toMatchObject({
      images: [],
      unreadable: [],
      artifacts: [
        { type: layer, isOpaque: true, isManifest: false },
        { type: cacheConfig, isOpaque: false, isManifest: false },
      ],
    });
  });

  it.each([
    'application/octet-stream',
    'application/vnd.oci.image.layer.v1.tar',
    'application/json',
    'text/html',
    'application/vnd.oci.empty.v1+json',
  ])('is an image that an index lists as %j, because podman runs it', async (mediaType) => {
    const image = await scratchImage();
    const listed = { ...image, descriptor: { ...image.descriptor, mediaType } };
    expect((await selected(buildIndex([listed]))).images).toHaveLength(1);
  });

  it.each([
    ['larger than a manifest', Buffer.alloc(4 * 1024 * 1024 + 1, ' ')],
    ['empty', Buffer.alloc(0)],
    ['no JSON', Buffer.from('PK')],
    ['JSON that is no manifest', STATEMENT],
  ])('is no image where the bytes that an index lists are %s', async (_, bytes) => {
    const { images, artifacts } = await selected(
      buildIndex([await scratchImage(), blobImage('application/json', bytes)]),
    );
    expect([images.length, artifacts.length]).toEqual([1, 1]);
  });

  it('refuses a manifest that is too large before it is read', async () => {
    const bytes = Buffer.alloc(4 * 1024 * 1024 + 1, ' ');
    const index = buildIndex([blobImage('application/vnd.oci.image.manifest.v1+json', bytes)]);
    await expect(selected(index)).rejects.toMatchObject({ code: 'MANIFEST_TOO_LARGE' });
  });

  it.each([
    ['an archive', async () => gzipSync(await tar({ a: 'b' })), true],
    ['a WebAssembly module', async () => Buffer.from('0061736d01000000', 'hex'), true],
    ['a document', async () => STATEMENT, false],
    ['other bytes', async () => randomBytes(64), false],
    ['packed bytes that are no archive', async () => gzipSync('x'.repeat(2000)), false],
  ])('has an artifact with %s in it: opaque is %s', async (_, bytes, isOpaque) => {
    const artifact = buildArtifact({
      artifactType: 'a/b',
      layers: [layerOf('c/d', await bytes())],
    });
    const selection = await selected(buildIndex([await scratchImage(), artifact]));
    expect(selection.artifacts).toMatchObject([{ type: 'a/b', isOpaque }]);
  });

  it('reports a layer that cannot be read', async () => {
    const encrypted = 'application/vnd.oci.image.layer.v1.tar+gzip+encrypted';
    const image = buildArtifact({
      config: IMAGE_CONFIG,
      layers: [layerOf(encrypted, randomBytes(64))],
    });
    expect(await selected(image)).toMatchObject({
      images: [],
      unreadable: [{ part: 'layer', mediaType: encrypted }],
    });
  });

  it('reports an attestation with a layer of an image in it', async () => {
    const layers = [
      layerOf('application/vnd.in-toto+json'),
      layerOf('application/vnd.oci.image.layer.v1.tar'),
    ];
    const { unreadable } = await selected(buildArtifact({ config: IMAGE_CONFIG, layers }));
    expect(unreadable).toMatchObject([
      { part: 'layer', mediaType: 'application/vnd.in-toto+json' },
    ]);
  });

  it('is the whole index, whatever it calls its children: a missing one may be pushed from its source', async () => {
    const [one, two] = await Promise.all([scratchImage(), buildImage({ layers: [{ a: 'b' }] })]);
    const attempt = selected({ ...buildIndex([one, two]), children: [one] });
    await expect(attempt).rejects.toMatchObject({ code: 'SCAN_LAYOUT_INVALID' });
  });

  it('is what a mirror brought in of an index, and no less than that', async () => {
    const [one, two] = await Promise.all([scratchImage(), buildImage({ layers: [{ a: 'b' }] })]);
    const index = { ...buildIndex([one, two]), children: [one] };
    await using dir = await temporaryDir();
    await writeLayout(dir.path, index);
    const subjects = [{ digest: index.digest, platform: null }];
    const { images } = await select(dir.path, subjects, new Set([two.digest]));
    expect(images.map(({ digest }) => digest)).toEqual([one.digest]);
    await expect(select(dir.path, subjects, new Set([one.digest]))).rejects.toMatchObject({
      code: 'SCAN_LAYOUT_INVALID',
    });
  });

  it('must be complete', async () => {
    await using dir = await temporaryDir();
    const missing = select(dir.path, [{ digest: `sha256:${'0'.repeat(64)}`, platform: null }]);
    await expect(missing).rejects.toMatchObject({ code: 'SCAN_LAYOUT_INVALID' });
  });
});
