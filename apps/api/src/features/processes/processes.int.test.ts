import type { ProcessState, QueueState } from '@portcullis/contract';
import { heartbeat } from '@portcullis/runtime';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;

beforeAll(async () => {
  api = await startApi({ TRIVY_ENABLED: 'false' });
  await api.account('admin', { isAdmin: true });
  admin = await api.as('admin');
});
afterAll(() => api?.stop());

async function processes(): Promise<ProcessState[]> {
  return json(admin.get('/api/system/processes'));
}

async function one(name: string, instance = name): Promise<ProcessState | undefined> {
  return (await processes()).find((state) => state.name === name && state.instance === instance);
}

it('a process is listed with its details while it sends heartbeats, and removed when it has ended', async () => {
  const detail = () => ({ running: { pull: 2 } });
  const worker = heartbeat(api.redis, { name: 'worker', instance: 'w1', version: '1.2.3', detail });
  await worker.start?.();
  expect(await one('worker', 'w1')).toMatchObject({
    status: 'up',
    version: '1.2.3',
    detail: detail(),
  });
  await worker.stop?.();
  expect(await one('worker', 'w1')).toBeUndefined();
});

it('a process that missed heartbeats is late', async () => {
  const seenAt = new Date(Date.now() - 7_000).toISOString();
  const beat = {
    name: 'worker',
    instance: 'w2',
    version: '1',
    startedAt: seenAt,
    seenAt,
    detail: {},
  };
  await api.redis.set('portcullis:heartbeat:worker:w2', JSON.stringify(beat), 'PX', 60_000);
  expect(await one('worker', 'w2')).toMatchObject({ status: 'late', seen_at: seenAt });
});

it('no worker is a fault on every page, on the overview and among the processes', async () => {
  const health = async () => (await json(admin.get('/api/health/dependencies'))).dependencies;
  await api.redis.set('portcullis:last-beat:worker', '2026-05-01T10:00:00.000Z');
  await api.redis.del('portcullis:heartbeat:worker:w2');
  const message = 'no worker runs: the last one was seen at 2026-05-01T10:00:00Z';
  await expect
    .poll(async () => (await health()).workers)
    .toMatchObject({ ok: false, code: 'NO_WORKER', message });
  expect(await one('worker')).toMatchObject({ status: 'down', detail: { code: 'NO_WORKER' } });
  const { attention } = await json(admin.get('/api/dashboard/stats'));
  expect(attention).toContainEqual(
    expect.objectContaining({ kind: 'no_worker', level: 'critical', count: 1 }),
  );
  const worker = heartbeat(api.redis, { name: 'worker', instance: 'w3', version: '1' });
  await worker.start?.();
  await expect.poll(async () => (await health()).workers).toMatchObject({ ok: true });
  await worker.stop?.();
});

it('database, Redis and registry are checked; a disabled scanner is no fault', async () => {
  for (const name of ['database', 'redis', 'registry'])
    expect(await one(name)).toMatchObject({
      status: 'up',
      detail: { latency_ms: expect.any(Number) },
    });
  expect(await one('trivy')).toMatchObject({ status: 'off' });
});

it('the lag of the archive is shown without a notifier, and that none runs', async () => {
  expect(await one('audit', 'archive')).toMatchObject({
    status: 'down',
    detail: { waiting: expect.any(Number), oldest_age_s: expect.any(Number) },
  });
  const notifier = heartbeat(api.redis, { name: 'notifier', instance: 'n1', version: '1' });
  await notifier.start?.();
  expect(await one('audit', 'archive')).toMatchObject({ status: 'up' });
  await notifier.stop?.();
});

it('queues show what waits, and for how long', async () => {
  await api.queues.dispatch({
    id: 'a',
    status: 'pull_queued',
    ownerId: 'ada',
    fence: 0,
    storageId: null,
  });
  const queues: QueueState[] = await json(admin.get('/api/system/queues'));
  expect(queues.map(({ queue }) => queue)).toEqual(['pull', 'scan', 'push', 'tasks', 'long-tasks']);
  expect(queues[0]).toEqual({
    queue: 'pull',
    depth: 1,
    delayed: 0,
    running: 0,
    failed: 0,
    oldest_age_s: expect.any(Number),
  });
});

it('without Redis the list says so', async () => {
  await api.stopRedis();
  const states = await processes();
  expect(states.map(({ name, status }) => `${name} ${status}`)).toContain('redis down');
  expect(states.map(({ name, status }) => `${name} ${status}`)).toContain('database up');
});
