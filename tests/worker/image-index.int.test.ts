/** The index of the local registry: written by our pushes, and reconciled with the registry. */
import {
  buildImage,
  buildIndex,
  eventually,
  pushImage,
  startRegistry,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
let worker: Awaited<ReturnType<Harness['startWorker']>>;
beforeAll(async () => {
  harness = await openHarness();
  worker = await harness.startWorker({ RECONCILE_SECONDS: '1', EGRESS_ALLOW: '127.0.0.1' });
});
afterAll(() => harness?.[Symbol.asyncDispose]());

async function twoPlatforms(text: string): Promise<TestImage> {
  const platforms = ['linux/amd64', 'linux/arm64'];
  const images = await Promise.all(
    platforms.map((platform) =>
      buildImage({ layers: [{ base: 'base' }, { [platform]: text }], platform }),
    ),
  );
  return buildIndex(images);
}

const tagsOf = async (repository: string) =>
  (await harness.store.images.tags(repository, {})).items;

it('our push is in the index when the job is done', async () => {
  await using source = await startRegistry();
  const image = await twoPlatforms('ours');
  await pushImage(source.url, 'lib/app', '1', image);
  const job = await harness.submit({ image: 'lib/app', tag: '1', host: source.host });
  await harness.settled(job.id);
  await harness.push(job.id, { repository: 'team/app', tag: 'v1' });
  await harness.until(job.id, ({ status }) => status === 'pushed');
  expect(await tagsOf('team/app')).toMatchObject([
    {
      tag: 'v1',
      digest: image.digest,
      platforms: ['linux/amd64', 'linux/arm64'],
      verdict: 'skipped',
    },
  ]);
});

it('pushes, tags and deletions by other clients are found by reconciliation', async () => {
  const { url } = harness.registry;
  const [first, second] = [await twoPlatforms('first'), await twoPlatforms('second')];
  await pushImage(url, 'elsewhere/app', 'latest', first);
  await pushImage(url, 'elsewhere/app', 'old', first);
  await eventually(async () => (await tagsOf('elsewhere/app')).length === 2);
  await pushImage(url, 'elsewhere/app', 'latest', second);
  await eventually(async () =>
    (await tagsOf('elsewhere/app')).some(({ digest }) => digest === second.digest),
  );
  expect(await harness.store.images.find('elsewhere/app')).toMatchObject({ tagCount: 2 });
  await fetch(`${url}/v2/elsewhere/app/manifests/${first.digest}`, { method: 'DELETE' });
  await eventually(async () => (await tagsOf('elsewhere/app')).length === 1);
  await fetch(`${url}/v2/elsewhere/app/manifests/${second.digest}`, { method: 'DELETE' });
  await eventually(async () => (await tagsOf('elsewhere/app')).length === 0);
});

const failedTries = () =>
  worker.lines.filter(
    (line) => line.includes('reconcile-images') && line.includes('a handler threw'),
  ).length;

it('an unreachable registry removes nothing from the index', async () => {
  const before = await tagsOf('team/app');
  await harness.registry.stop();
  await expect.poll(failedTries).toBeGreaterThanOrEqual(2);
  expect(await tagsOf('team/app')).toEqual(before);
});
