/** What agents report, beside what the webhook admitted. */
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { storeOfTwo } from '../two-accounts.fixture.ts';
import { createClusters } from './clusters.ts';
import type { ClusterReport } from './records.ts';

const world = storeOfTwo();
beforeEach(async () => {
  await world.sql.query('DELETE FROM clusters');
  await world.sql.query(`
    INSERT INTO local_repositories (name, namespace, updated_at, seen_at, created_at)
    VALUES ('team/app', 'team', now(), now(), now() - interval '1 year') ON CONFLICT DO NOTHING`);
});

const image = (digest: string, namespace = 'shop') => ({
  ...{ namespace, repository: 'team/app' },
  digest,
});
const report = (more: Partial<ClusterReport> = {}) =>
  world.store.clusters.report({
    ...{ cluster: 'eu', reporterId: world.ada.id, folders: 'all', notKnown: 0 },
    images: [image('1')],
    ...more,
  });
const note = (digest: string, cluster = 'eu') =>
  world.store.runningImages.note([{ cluster, ...image(digest) }]);
const earlier = (table: string, column: string) =>
  world.sql.query(`UPDATE ${table} SET ${column} = ${column} - interval '1 hour'`);
const running = async () =>
  (await world.store.runningImages.list({ folders: 'all' })).items.map(
    ({ cluster, namespace, digest, source }) => `${cluster}/${namespace} ${digest} ${source}`,
  );

it('a report replaces the one before', async () => {
  await report({ images: [image('1'), image('1', 'blog'), image('2'), image('2')] });
  expect(await running()).toEqual(['eu/blog 1 agent', 'eu/shop 1 agent', 'eu/shop 2 agent']);
  await report({ images: [image('2'), image('3')] });
  expect(await running()).toEqual(['eu/shop 2 agent', 'eu/shop 3 agent']);
  await report({ images: [] });
  expect(await running()).toEqual([]);
});

it('what was admitted counts where no report came after it', async () => {
  await note('1');
  await note('1', 'us');
  await note('2');
  await earlier('running_images', 'seen_at');
  await report({ images: [image('1')] });
  expect(await running()).toEqual(['eu/shop 1 agent', 'us/shop 1 admission']);
  await earlier('clusters', 'reported_at');
  await note('1');
  await note('3');
  expect(await running()).toEqual([
    'eu/shop 1 agent',
    'us/shop 1 admission',
    'eu/shop 3 admission',
  ]);
});

it('the first account that reports is the only one, until it or the cluster is removed', async () => {
  const bob = { reporterId: world.bob.id };
  expect(await report()).toBe(true);
  expect(await report()).toBe(false);
  await expect(report(bob)).rejects.toMatchObject({ code: 'CLUSTER_TAKEN' });
  await world.store.clusters.remove('eu');
  await expect(world.store.clusters.remove('eu')).rejects.toMatchObject({
    code: 'CLUSTER_UNKNOWN',
  });
  expect(await running()).toEqual([]);
  expect(await report(bob)).toBe(true);
  await world.sql.query('DELETE FROM users WHERE id = $1', [world.bob.id]);
  expect(await running()).toEqual(['eu/shop 1 agent']);
  expect(await report()).toBe(true);
});

it('a cluster too many is refused, and one that is known is not', async () => {
  const db = openDatabase(world.url);
  const few = createClusters(db, { mostClusters: 1 });
  const given = { reporterId: world.ada.id, folders: 'all', notKnown: 0, images: [] } as const;
  await few.report({ ...given, cluster: 'eu' });
  await few.report({ ...given, cluster: 'eu' });
  await expect(few.report({ ...given, cluster: 'us' })).rejects.toMatchObject({
    code: 'CLUSTERS_MANY',
  });
  await db.$disconnect();
});

it('lists what is known of each cluster', async () => {
  await report({ notKnown: 4, images: [image('1'), image('2')] });
  await note('1', 'us');
  const reportedAt = expect.any(Date);
  expect(await world.store.clusters.list()).toEqual([
    {
      ...{ name: 'eu', reporter: { id: world.ada.id, name: 'ada' }, reportedAt },
      ...{ notKnown: 4, reported: 2, admitted: 0 },
    },
    { name: 'us', reporter: null, reportedAt: null, notKnown: 0, reported: 0, admitted: 1 },
  ]);
  expect(await world.store.clusters.reports()).toEqual([{ name: 'eu', reportedAt }]);
});

it('what an agent said is removed where it was silent for long, with its cluster', async () => {
  await report();
  const before = new Date(Date.now() - 90 * 86_400_000);
  expect(await world.store.runningImages.removeUnseen(before)).toBe(0);
  expect(await running()).toEqual(['eu/shop 1 agent']);
  await world.sql.query(`UPDATE clusters SET reported_at = now() - interval '100 days'`);
  expect(await world.store.runningImages.removeUnseen(before)).toBe(1);
  expect(await world.store.clusters.list()).toEqual([]);
});
