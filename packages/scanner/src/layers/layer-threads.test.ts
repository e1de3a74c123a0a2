import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, sha256, tar, temporaryDir } from '@portcullis/testing';
import { afterAll, expect, it } from 'vitest';
import { createLayerThreads, type LayerThreads } from './layer-threads.ts';
import { recentLayers } from './recent-layers.ts';
import { NO_TOC_ANNOTATIONS } from './toc/annotations.ts';
import { verifyLayers } from './verify-layers.ts';

const threads = createLayerThreads();
afterAll(() => threads.close());

/** More than there are threads. */
const MANY = 12;

it('what no verdict waits for leaves threads for verdicts, however much of it there is', async () => {
  await using dir = await temporaryDir();
  const [pipe, layer] = [join(dir.path, 'pipe'), join(dir.path, 'layer')];
  await writeFile(layer, await tar({ 'bin/sh': 'x' }));
  spawnSync('/usr/bin/mkfifo', [pipe]);
  const writer = await open(pipe, constants.O_RDWR);
  const later = [];
  try {
    for (let nth = 0; nth < MANY; nth += 1)
      later.push(threads.runLater({ file: await open(pipe), digest: sha256(Buffer.of()) }));
    let isRead = false;
    const task = { path: layer, maxUnpacked: 10_000, annotations: NO_TOC_ANNOTATIONS, known: null };
    void threads.run('archive', task).then(() => (isRead = true));
    await eventually(async () => isRead, Boolean);
  } finally {
    await writer.close();
  }
  expect(await Promise.all(later)).toHaveLength(MANY);
});

it('a layer that an image has many times is read once for later', async () => {
  await using dir = await temporaryDir();
  const bytes = Buffer.from(await tar({ 'bin/sh': 'x' }));
  const digest = sha256(bytes);
  const diff_ids = Array(MANY).fill(digest);
  const config = JSON.stringify({ os: 'linux', architecture: 'amd64', rootfs: { diff_ids } });
  await mkdir(join(dir.path, 'blobs/sha256'), { recursive: true });
  for (const blob of [bytes, Buffer.from(config)])
    await writeFile(join(dir.path, 'blobs', sha256(blob).replace(':', '/')), blob);
  let count = 0;
  const counting: LayerThreads = {
    ...threads,
    runLater: (task) => {
      count += 1;
      return threads.runLater(task);
    },
  };
  const mediaType = 'application/vnd.oci.image.layer.v1.tar';
  const layer = { mediaType, digest, size: bytes.length };
  const image = {
    ...{
      digest,
      platform: null,
      manifest: layer,
      isIndexed: false,
      layers: Array(MANY).fill(layer),
    },
    config: { mediaType, digest: sha256(Buffer.from(config)), size: config.length },
  };
  const verified = await verifyLayers(image, {
    ...{ layoutDir: dir.path, cacheDir: join(dir.path, 'memory'), threads: counting },
    recent: recentLayers(counting, 1024 ** 2),
    ...{ signal: new AbortController().signal, maxUnpackedBytes: 1024 ** 2 },
  });
  await verified.keep();
  expect([verified.layers.length, count]).toEqual([MANY, 1]);
});
