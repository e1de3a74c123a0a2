/** Which images clusters start: clients of the webhook may name any cluster and namespace. */
import type { StartedImage } from '@portcullis/domain/admission';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { storeOfTwo } from '../two-accounts.fixture.ts';
import { createRunningImages } from './running-images.ts';

const world = storeOfTwo();
beforeEach(() => world.sql.query('DELETE FROM clusters'));

const image = (more: Partial<StartedImage> = {}): StartedImage => ({
  ...{ cluster: 'eu', namespace: 'shop', repository: 'team/app', digest: 'sha256:1' },
  ...more,
});
const many = (count: number, of: (nth: number) => Partial<StartedImage>) =>
  Array.from({ length: count }, (_, nth) => image(of(nth)));
const rows = async () =>
  (
    await world.sql.query(
      'SELECT cluster, namespace, repository, digest FROM running_images ORDER BY 1, 2, 3, 4',
    )
  ).rows;
const age = (days: number, where: string) =>
  world.sql.query(
    `UPDATE running_images SET seen_at = now() - $1 * interval '1 day' WHERE ${where}`,
    [days],
  );

it('an image is kept once in each namespace of a cluster, as it was seen last', async () => {
  const other = image({ namespace: 'blog' });
  await world.store.runningImages.note([image(), other]);
  await age(3, `namespace = 'shop'`);
  await world.store.runningImages.note([image()]);
  expect(await rows()).toEqual([other, image()]);
  const { rows: seen } = await world.sql.query(
    `SELECT count(*)::int AS count FROM running_images WHERE seen_at > now() - interval '1 hour'`,
  );
  expect(seen).toEqual([{ count: 2 }]);
});

it('a cluster too many is left out, and those that are known stay', async () => {
  const db = openDatabase(world.url);
  const few = createRunningImages(db, { mostClusters: 2 });
  expect(await few.note([image()])).toEqual({ kept: 1, left: 0 });
  const strangers = many(5, (nth) => ({ cluster: `a${nth}` }));
  expect(await few.note([...strangers, image()])).toEqual({ kept: 2, left: 4 });
  expect(await few.note([image({ namespace: 'blog' })])).toEqual({ kept: 1, left: 0 });
  await db.$disconnect();
});

it('of a cluster those are kept that were seen last, and no other cluster loses any', async () => {
  const db = openDatabase(world.url);
  const few = createRunningImages(db, { mostOfCluster: 3 });
  await few.note(many(3, (nth) => ({ digest: `sha256:${nth}` })));
  await few.note(many(3, () => ({ cluster: 'us' })).slice(0, 1));
  await age(2, `digest <> 'sha256:2'`);
  await few.note(many(2, (nth) => ({ digest: `sha256:new${nth}` })));
  expect((await rows()).map(({ cluster, digest }) => [cluster, digest])).toEqual([
    ['eu', 'sha256:2'],
    ['eu', 'sha256:new0'],
    ['eu', 'sha256:new1'],
    ['us', 'sha256:1'],
  ]);
  await db.$disconnect();
});

it('what was not seen since is removed, with clusters of which nothing is left', async () => {
  await world.store.runningImages.note([image(), image({ cluster: 'us' })]);
  await age(100, `cluster = 'us'`);
  const before = new Date(Date.now() - 90 * 86_400_000);
  expect(await world.store.runningImages.removeUnseen(before)).toBe(1);
  expect(await rows()).toEqual([image()]);
  expect((await world.sql.query('SELECT name FROM clusters')).rows).toEqual([{ name: 'eu' }]);
});

it('two processes that write the same in another order do not stop each other', async () => {
  const all = many(200, (nth) => ({ namespace: `n${nth}` }));
  const writes = Array.from({ length: 8 }, (_, nth) =>
    world.store.runningImages.note(nth % 2 ? all : all.toReversed()),
  );
  expect(await Promise.all(writes)).toEqual(writes.map(() => ({ kept: 200, left: 0 })));
});
