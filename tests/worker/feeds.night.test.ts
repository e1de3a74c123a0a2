/** Feeds that did not change, and older ones. */
import { buildArtifact, epssFile, pushImage } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  asked,
  base,
  dateOf,
  harness,
  registry,
  restarted,
  setScores,
  startFeeds,
  stateOf,
  updates,
} from './feeds.fixture.ts';

startFeeds();

it('the next check is conditional; what did not change is no event', async () => {
  await harness.store.feeds.confirm('epss', {
    source: `${base}/current.csv.gz`,
    validator: (await stateOf('epss'))?.validator ?? null,
    at: new Date(Date.now() - 25 * 3_600_000),
  });
  const before = (await updates()).length;
  const since = Date.now();
  await restarted({ EPSS_URL: `${base}/current.csv.gz` });
  await expect
    .poll(async () => Number((await stateOf('epss'))?.content?.checkedAt))
    .toBeGreaterThanOrEqual(since - 1_000);
  expect(asked.every(({ condition }) => condition !== undefined)).toBe(true);
  expect(await updates()).toHaveLength(before);
});

it('a mirror with an older file changes nothing', async () => {
  setScores(epssFile([['CVE-2021-44228', '0.1']], { date: dateOf(9) }));
  await restarted({ EPSS_URL: `${base}/old.csv.gz` });
  await expect.poll(async () => (await stateOf('epss'))?.failure?.code).toBe('FEED_OLDER');
  expect(await stateOf('epss')).toMatchObject({ content: { publishedAt: new Date(dateOf(1)) } });
});

it('an artifact without the one layer is refused with a reason', async () => {
  const layers = [1, 2].map((at) => ({
    mediaType: 'application/json',
    bytes: Buffer.from(`{"at":${at}}`),
  }));
  await pushImage(registry.url, 'feeds/two', 'latest', buildArtifact({ layers }));
  await restarted({ KEV_URL: `oci://${registry.host}/feeds/two:latest` });
  await expect.poll(async () => (await stateOf('kev'))?.failure?.code).toBe('FEED_INVALID');
});
