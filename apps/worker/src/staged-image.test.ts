import { access } from 'node:fs/promises';
import path from 'node:path';
import type { StagingJob } from '@portcullis/domain';
import { copy, type Source } from '@portcullis/oci';
import { openLayout } from '@portcullis/oci/layout';
import {
  buildImage,
  type TemporaryDir,
  type TestImage,
  temporaryDir,
  writeLayout,
} from '@portcullis/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Attempt } from './attempt.ts';
import { openDisk } from './disk.ts';
import { stagedImages } from './staged-image.ts';

let dir: TemporaryDir;
let image: TestImage;
beforeEach(async () => {
  dir = await temporaryDir();
  image = await buildImage({ layers: [{ one: '1' }, { two: '2' }] });
});
afterEach(() => dir.remove());

const ID = '00000000-0000-4000-8000-000000000000';

/** A job that took the manifests alone, and what its source is asked for from then on. */
async function staged() {
  const disk = await openDisk(dir.path);
  const at = path.join(dir.path, 'source');
  await writeLayout(at, image);
  const source = openLayout(at, disk.cache);
  const asked: string[] = [];
  const counted: Source & { at: Source } = {
    at: source,
    resolve: source.resolve,
    fetch(descriptor, options) {
      asked.push(descriptor.digest);
      return this.at.fetch(descriptor, options);
    },
  };
  await copy(source, image.digest, await disk.manifests(ID), { manifestsOnly: true });
  const job = { id: ID, digest: image.digest, withReferrers: false } as StagingJob;
  const attempt: Pick<Attempt, 'job' | 'signal' | 'report'> = {
    job: () => job,
    signal: new AbortController().signal,
    report() {},
  };
  const images = stagedImages({
    disk,
    source: async () => counted,
    concurrency: 2,
    maxManifestBytes: 4 * 1024 * 1024,
  });
  return { ...images, job, attempt, asked, layout: () => disk.layout(ID) };
}

it('of layers that a scanner remembers, it needs no more than the configuration', async () => {
  const { skeleton, complete, attempt, asked } = await staged();
  const dir = await skeleton(attempt);
  const [config] = image.blobs;
  expect(asked).toEqual([config?.descriptor.digest]);
  for (const digest of [image.digest, config?.descriptor.digest ?? ''])
    await access(path.join(dir ?? '', 'blobs', digest.replace(':', '/')));
  await complete(attempt);
  expect(await skeleton(attempt)).toBeNull();
});

it('what a pull left at the source is fetched once a scan needs it, each blob once', async () => {
  const { complete, attempt, asked, layout } = await staged();
  await complete(attempt);
  await complete(attempt);
  expect(asked.sort()).toEqual(image.blobs.map(({ descriptor }) => descriptor.digest).sort());
  await (await layout()).resolve(image.digest);
});
