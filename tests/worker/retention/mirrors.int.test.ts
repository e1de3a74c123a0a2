/** Eviction of a mirror: tags that no account pulls go as by retention, with a real registry. */
import { OCI_INDEX } from '@portcullis/oci';
import { openSql, pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness } from '../harness.ts';

const DAY_MS = 86_400_000;
const MIRROR = {
  ...{ registryId: null, prefix: '', allow: ['*'], platforms: [] },
  ...{ checkMinutes: 60, keepDays: 30 },
};

let harness: Harness;
let sql: Awaited<ReturnType<typeof openSql>>;
beforeAll(async () => {
  harness = await openHarness();
  sql = await openSql(harness.databaseUrl);
  await harness.store.folders.insertFolder({
    ...{ name: 'hub', mirror: MIRROR, immutableTags: ['v*'] },
  });
  await harness.store.folders.insertFolder({ name: 'team' });
  await harness.startWorker({ RECONCILE_SECONDS: '86400' });
});
afterAll(async () => {
  await sql?.end();
  await harness?.[Symbol.asyncDispose]();
});

/** As brought in, and last pulled, so many days ago. */
async function pulled(repository: string, tag: string, days: { in: number; used: number }) {
  const { digest } = await randomImage().then(async (image) => {
    await pushImage(harness.registry.url, repository, tag, image);
    return image;
  });
  const at = new Date(Date.now() - days.in * DAY_MS);
  const place = { repository, reference: tag };
  const options = { answer: { digest }, isTag: true, dueSeconds: 60 };
  await harness.store.mirrors.answered(place, options);
  await sql.query(
    `UPDATE mirror_tags SET used_at = now() - $3 * interval '1 day' WHERE repository = $1 AND reference = $2`,
    [repository, tag, days.used],
  );
  // Last: the worker looks at all tags when it has started.
  await harness.store.images.record({ repository, tag, digest, manifests: [], at });
}

const tagsOf = async (repository: string) =>
  (await harness.store.images.tagNames(repository)).map(({ tag }) => tag).sort();

it('removes what no account has pulled for as long as the mirror keeps it', async () => {
  await pulled('hub/app', 'unused', { in: 90, used: 40 });
  await pulled('hub/app', 'used', { in: 90, used: 1 });
  await pulled('hub/app', 'new', { in: 1, used: 1 });
  await pulled('hub/app', 'v1', { in: 90, used: 40 });
  await pulled('team/app', 'unused', { in: 90, used: 40 });
  await harness.queues.enqueue({ name: 'apply-retention' });
  await expect.poll(() => tagsOf('hub/app')).toEqual(['new', 'used', 'v1']);
  const known = async () => (await harness.store.mirrors.uses('hub/app')).has('unused');
  await expect.poll(known).toBe(false);
  expect(await tagsOf('team/app')).toEqual(['unused']);
});

it('leaves what runs in a cluster, whether it names the index or a platform of it', async () => {
  const repository = 'hub/runs';
  for (const tag of ['ended', 'image', 'platform'])
    await pulled(repository, tag, { in: 90, used: 40 });
  const digest = async (tag: string) =>
    (await harness.store.retention.findTag(repository, tag))?.digest ?? '';
  const platform = `sha256:${'a'.repeat(64)}`;
  const index = {
    ...{ digest: await digest('platform'), mediaType: OCI_INDEX, size: 1 },
    ...{ artifactType: null, platforms: [], subject: null },
    contents: [{ digest: platform, size: 1, isManifest: true }],
  };
  await harness.store.images.record({
    ...{ repository, tag: null, digest: index.digest, manifests: [index], at: new Date(0) },
  });
  const pod = { cluster: 'eu', namespace: 'shop', repository };
  const running = [await digest('image'), platform].map((each) => ({ ...pod, digest: each }));
  await harness.store.runningImages.note(running);
  await harness.queues.enqueue({ name: 'apply-retention' });
  const known = async () => (await harness.store.mirrors.uses(repository)).has('ended');
  await expect.poll(known).toBe(false);
  expect(await tagsOf(repository)).toEqual(['image', 'platform']);
});
