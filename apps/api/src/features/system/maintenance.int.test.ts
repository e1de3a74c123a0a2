import { heartbeat } from '@portcullis/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
  await api.account('admin', { isAdmin: true });
  admin = await api.as('admin');
});
afterAll(() => api?.stop());

it('a garbage collection needs a worker with the storage, and only one runs at a time', async () => {
  expect(await (await admin.get('/api/system/gc')).json()).toMatchObject({
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
    expect(await (await admin.get('/api/system/gc')).json()).toMatchObject(state);
  } finally {
    await worker.stop?.();
  }
});
