/** A store that distribution 2.8 wrote, under the registry that is embedded now. */
import {
  fetchManifest,
  json,
  pushImage,
  randomImage,
  scratchImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('a store that distribution 2.8 wrote', () => {
  let dir: Awaited<ReturnType<typeof temporaryDir>>;
  let registry: TestRegistry;
  let image: TestImage;

  beforeAll(async () => {
    dir = await temporaryDir();
    image = await randomImage();
    await using old = await startRegistry({ isOld: true, storageDir: dir.path });
    await pushImage(old.url, 'team/app', '1', image);
    registry = await startRegistry({ storageDir: dir.path });
  });
  afterAll(async () => {
    await registry?.stop();
    await dir?.remove();
  });

  const send = (method: string, path: string) => fetch(new URL(path, registry.url), { method });

  it('is served byte for byte', async () => {
    const manifest = await fetchManifest(registry.url, 'team/app', '1');
    expect(manifest.body.equals(image.bytes)).toBe(true);
    for (const { descriptor } of image.blobs) {
      const blob = await send('GET', `/v2/team/app/blobs/${descriptor.digest}`);
      expect((await blob.arrayBuffer()).byteLength).toBe(descriptor.size);
    }
  });

  it('takes tags, and mounts of what it has', async () => {
    await pushImage(registry.url, 'team/app', '2', image);
    const digest = image.blobs[0]?.descriptor.digest;
    const mount = await send('POST', `/v2/other/app/blobs/uploads/?mount=${digest}&from=team/app`);
    expect(mount.status).toBe(201);
    const tags = await json(send('GET', '/v2/team/app/tags/list'));
    expect(tags).toMatchObject({ tags: ['1', '2'] });
  });

  it('is read by 2.8 again, with what was written since', async () => {
    const added = await scratchImage();
    await pushImage(registry.url, 'team/new', '1', added);
    await using old = await startRegistry({ isOld: true, storageDir: dir.path });
    const manifest = await fetchManifest(old.url, 'team/new', '1');
    expect(manifest.body.equals(added.bytes)).toBe(true);
  });

  it('loses a manifest that is deleted, with its tags', async () => {
    expect((await send('DELETE', `/v2/team/app/manifests/${image.digest}`)).status).toBe(202);
    for (const tag of ['1', '2'])
      expect((await fetchManifest(registry.url, 'team/app', tag)).status).toBe(404);
  });
});

// Distribution 2.8 wrote the file of a tag in place, and answered 500 to a read meanwhile.
it('a tag that is written again and again is answered each time', async () => {
  await using registry = await startRegistry();
  const images = await Promise.all([scratchImage(), randomImage()]);
  for (const image of images) await pushImage(registry.url, 'team/app', 'moving', image);
  let isMoving = true;
  const statuses = new Set<number>();
  const reading = (async () => {
    while (isMoving) statuses.add((await fetchManifest(registry.url, 'team/app', 'moving')).status);
  })();
  for (let turn = 0; turn < 300; turn += 1) {
    const { bytes, descriptor } = images[turn % 2] as TestImage;
    const put = await fetch(new URL('/v2/team/app/manifests/moving', registry.url), {
      method: 'PUT',
      headers: { 'content-type': descriptor.mediaType },
      body: Buffer.from(bytes),
    });
    expect(put.status).toBe(201);
  }
  isMoving = false;
  await reading;
  expect([...statuses]).toEqual([200]);
});
