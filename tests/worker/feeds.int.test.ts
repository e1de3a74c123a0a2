/** Refreshes of the feeds of KEV and EPSS by a real worker. */
import { liveSettings, liveThreatFeeds } from '@portcullis/events';
import { createLogger } from '@portcullis/runtime';
import { buildArtifact, epssFile, kevFile, pushImage } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  asked,
  base,
  dateOf,
  harness,
  isoDay,
  registry,
  restarted,
  setScores,
  startFeeds,
  stateOf,
  updates,
} from './feeds.fixture.ts';

startFeeds();

it('a worker reads the scores through a redirect, and a process that judges has them without a restart', async () => {
  const settings = liveSettings(harness.redis, harness.store.settings);
  const log = createLogger({ name: 'test', level: 'silent' });
  const live = liveThreatFeeds({ settings, feeds: harness.store.feeds, log });
  await live.start?.();
  expect(live.current().epss).toBeNull();

  setScores(epssFile([['CVE-2021-44228', '0.94358']], { date: dateOf(1) }));
  await restarted({ EPSS_URL: `${base}/current.csv.gz` });
  await expect.poll(() => live.current().epss?.score('CVE-2021-44228')).toBe(0.94358);
  expect(asked.map(({ url }) => url)).toEqual(['/current.csv.gz', '/today.csv.gz']);
  expect(await stateOf('epss')).toMatchObject({
    source: `${base}/current.csv.gz`,
    content: {
      version: 'v2026.03.14',
      entries: 1,
      publishedAt: new Date(`${dateOf(1)}T00:00:00Z`),
    },
    failure: null,
  });
  await expect.poll(updates).toMatchObject([
    {
      outcome: 'success',
      actor: { name: 'worker', auth: 'system' },
      resource: { kind: 'feed', name: 'epss' },
      detail: { entries: 1, entries_before: 0, version: 'v2026.03.14' },
    },
  ]);
  await live.stop?.();
  settings.close();
});

it('a failed refresh keeps the scores and is stored with its reason', async () => {
  setScores(null);
  await restarted({ EPSS_URL: `${base}/elsewhere.csv.gz` });
  await expect.poll(async () => (await stateOf('epss'))?.failure?.code).toBe('FEED_UNAVAILABLE');
  expect(await stateOf('epss')).toMatchObject({
    source: `${base}/current.csv.gz`,
    content: { entries: 1 },
    failure: { source: `${base}/elsewhere.csv.gz` },
  });
});

it.each([
  ['the built-in registry, with its login', () => harness.registry],
  ['another registry', () => registry],
])('the catalog is read from an artifact in %s', async (_, from) => {
  const target = from();
  const ids = ['CVE-2021-44228', 'CVE-2014-0160'].slice(target === registry ? 0 : 1);
  const artifact = buildArtifact({
    artifactType: 'application/vnd.cisa.kev',
    layers: [{ mediaType: 'application/json', bytes: kevFile(ids, { released: isoDay(2) }) }],
  });
  await pushImage(target.url, 'feeds/kev', 'latest', artifact);
  const address = `oci://${target.host}/feeds/kev:latest`;
  await restarted({ KEV_URL: address });
  await expect.poll(async () => (await stateOf('kev'))?.source).toBe(address);
  await expect
    .poll(() => stateOf('kev'))
    .toMatchObject({
      validator: artifact.digest,
      content: { entries: ids.length },
      failure: null,
    });
});
