/** N2: a job whose image was removed to make room is pushed again from its source, by digest. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { releaseImage } from '@portcullis/domain';
import {
  fetchManifest,
  pushImage,
  randomImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
let source: TestRegistry;

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  await harness.startWorker({ STAGE_TRIES: '1' });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

/** A pushed job whose image the worker has removed, as after STAGING_KEEP_DAYS. */
async function released(tag: string) {
  const image = await randomImage();
  await pushImage(source.url, 'team/app', tag, image);
  const { id } = await harness.submit({ image: 'team/app', tag, host: source.host });
  await harness.settled(id);
  await harness.push(id, { repository: `gate/${tag}` });
  expect(await harness.settled(id)).toMatchObject({ status: 'pushed', error: null });
  const job = await harness.store.jobs.update(id, (row) => releaseImage(row, new Date()));
  const index = path.join(harness.dataDir, 'cache/staging', id, 'index.json');
  await access(index);
  // The hourly task also removes what a worker left that ended between the row and the files.
  await harness.queues.enqueue({ name: 'prune-cache' }, { storageId: job.storageId });
  await expect
    .poll(() =>
      access(index).then(
        () => 'here',
        () => 'gone',
      ),
    )
    .toBe('gone');
  return { id, image };
}

it('is pushed although its tag has moved, and stays released', async () => {
  const { id, image } = await released('kept');
  await pushImage(source.url, 'team/app', 'kept', await randomImage());
  await harness.push(id, { repository: 'gate/again' });
  expect(await harness.settled(id)).toMatchObject({ status: 'pushed', error: null });
  const served = await fetchManifest(harness.registry.url, 'gate/again', 'latest');
  expect(served.body).toEqual(Buffer.from(image.bytes));
  expect((await harness.store.jobs.get(id)).imageReleasedAt).not.toBeNull();
});

it('fails with the fault of its source where that is gone', async () => {
  const { id } = await released('lost');
  await source.stop();
  await harness.push(id, { repository: 'gate/lost' });
  expect(await harness.settled(id)).toMatchObject({
    status: 'failed',
    error: { side: 'source' },
  });
});
