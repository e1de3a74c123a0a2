import {
  buildArtifact,
  buildImage,
  buildIndex,
  helmChart,
  scratchImage,
  type TestImage,
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
const layerOf = (mediaType: string) => ({ mediaType, bytes: Buffer.from('x') });

function attestation(): TestImage {
  return buildArtifact({ config: IMAGE_CONFIG, layers: [layerOf('application/vnd.in-toto+json')] });
}

describe('what the scanner is given of a layout', () => {
  it('is an image of its own', async () => {
    const image = await scratchImage();
    const { images } = await selected(image);
    expect(images.map(({ digest, platform }) => [digest, platform])).toEqual([[image.digest, null]]);
  });

  it('is every image of an index, with its platform, also of an index within', async () => {
    const [one, two, three] = await Promise.all([
      scratchImage({ platform: 'linux/amd64' }),
      scratchImage({ platform: 'linux/arm64/v8' }),
      scratchImage({ platform: 'linux/riscv64' }),
    ]);
    const { images } = await selected(buildIndex([one, buildIndex([two, three])]));
    expect(images.map((image) => image.platform)).toEqual(['linux/amd64', 'linux/arm64/v8', 'linux/riscv64']);
  });

  it('is a real image that an index labels as an attestation', async () => {
    const image = await scratchImage({ platform: 'unknown/unknown' });
    expect((await selected(buildIndex([image]))).images).toHaveLength(1);
  });

  it('is no attestation beside an image', async () => {
    const selection = await selected(buildIndex([await scratchImage(), attestation()]));
    expect(selection).toMatchObject({ artifacts: ['application/vnd.in-toto+json'], unreadable: [] });
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
  ])('is not %s', async (_, build, artifact) => {
    expect(await selected(await build())).toEqual({
      images: [],
      artifacts: [artifact],
      unreadable: [],
    });
  });

  it('tells of a layer that nobody can read', async () => {
    const encrypted = 'application/vnd.oci.image.layer.v1.tar+gzip+encrypted';
    const image = buildArtifact({ config: IMAGE_CONFIG, layers: [layerOf(encrypted)] });
    expect(await selected(image)).toMatchObject({ images: [], unreadable: [encrypted] });
  });

  it('tells of an attestation with a layer of an image in it', async () => {
    const layers = [
      layerOf('application/vnd.in-toto+json'),
      layerOf('application/vnd.oci.image.layer.v1.tar'),
    ];
    const { unreadable } = await selected(buildArtifact({ config: IMAGE_CONFIG, layers }));
    expect(unreadable).toEqual(['application/vnd.in-toto+json']);
  });

  it('is all of an index, whatever it calls its children: what is absent may be pushed from its source', async () => {
    const [one, two] = await Promise.all([scratchImage(), buildImage({ layers: [{ a: 'b' }] })]);
    const attempt = selected({ ...buildIndex([one, two]), children: [one] });
    await expect(attempt).rejects.toMatchObject({ code: 'SCAN_LAYOUT_INVALID' });
  });

  it('has to be there', async () => {
    await using dir = await temporaryDir();
    const missing = select(dir.path, [{ digest: `sha256:${'0'.repeat(64)}`, platform: null }]);
    await expect(missing).rejects.toMatchObject({ code: 'SCAN_LAYOUT_INVALID' });
  });
});
