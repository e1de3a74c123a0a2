import { CveTable } from '@portcullis/domain';
import { publishChange, systemEvent } from '@portcullis/events';
import { heartbeat } from '@portcullis/runtime';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

const METRICS_TOKEN = 'a token for prometheus';

let api: TestApi;
let admin: Client;

beforeAll(async () => {
  api = await startApi({ METRICS_TOKEN });
  await api.account('admin', { isAdmin: true });
  admin = await api.as('admin');
});
afterAll(() => api?.stop());

it('a garbage collection needs a worker with the storage, and only one runs at a time', async () => {
  expect(await json(admin.get('/api/system/gc'))).toMatchObject({
    state: 'idle',
    log_tail: [],
  });
  const refused = await admin.post('/api/system/gc', {});
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'GC_UNAVAILABLE' }]);
  const detail = () => ({ collects_garbage: true });
  const worker = heartbeat(api.redis, { name: 'worker', instance: 'w', version: '1', detail });
  await worker.start?.();
  try {
    const started = await admin.post('/api/system/gc', { dry_run: true });
    const state = {
      state: 'running',
      dry_run: true,
      delete_untagged: false,
      requested_by: 'admin',
    };
    expect([started.status, await started.json()]).toMatchObject([202, state]);
    const woken: string[] = [];
    const consumer = api.queues.consumeMaintenance('gc', async () => void woken.push('gc'));
    await expect.poll(() => woken).toEqual(['gc']);
    await consumer.stop();
    const again = await admin.post('/api/system/gc', {});
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'GC_RUNNING' }]);
    expect(await json(admin.get('/api/system/gc'))).toMatchObject(state);
  } finally {
    await worker.stop?.();
  }
});

it('the threat feeds are listed with their age, their source and the newest failure, to administrators', async () => {
  const never = { source: null, version: null, age_s: null, stale: true, entries: 0, error: null };
  const list = async () => json(admin.get('/api/system/feeds'));
  expect(await list()).toMatchObject([
    { kind: 'kev', ...never },
    { kind: 'epss', ...never },
  ]);
  const now = Date.now();
  const [source, other] = ['https://feeds.test/epss.csv.gz', 'https://kev.test/'];
  const read = { source, validator: null, at: new Date(now - 3_600_000) };
  const published = new Date(now - 2 * 86_400_000);
  const entries = CveTable.of([{ cve: 2021_0000044228, value: 1 }]);
  const event = systemEvent({
    event: 'feeds.updated',
    outcome: 'success',
    actor: { id: null, name: 'worker' },
    action: 'update',
    resource: null,
    detail: {},
  });
  const feed = { kind: 'epss', version: 'v1', publishedAt: published, entries } as const;
  await api.store.feeds.replace(feed, read, event);
  const failure = { source: other, code: 'FEED_UNAVAILABLE', message: 'no', at: new Date(now) };
  await api.store.feeds.fail('kev', failure);
  const [kev, epss] = await list();
  expect(kev).toMatchObject({
    ...never,
    kind: 'kev',
    source: other,
    error: { ...failure, at: failure.at.toISOString() },
  });
  expect(epss).toMatchObject({
    kind: 'epss',
    source,
    version: 'v1',
    published_at: published.toISOString(),
    checked_at: read.at.toISOString(),
    stale: false,
    entries: 1,
    error: null,
  });
  expect(epss.age_s).toBeGreaterThanOrEqual(2 * 86_400);
  await publishChange(api.redis, 'settings');
  await expect.poll(ages).toEqual(['epss']);
  await api.account('bob', {});
  expect((await (await api.as('bob')).get('/api/system/feeds')).status).toBe(403);
});

/** The feeds whose age the metrics have. */
async function ages(): Promise<string[]> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${api.url}/metrics`, { headers })).text();
  return [...text.matchAll(/^portcullis_threat_feed_age_seconds\{feed="(\w+)"\} [\d.]+$/gm)].map(
    ([, feed = '']) => feed,
  );
}
