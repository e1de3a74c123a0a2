import { randomUUID } from 'node:crypto';
import { link, mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { heartbeat } from '@portcullis/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';
import { createOrphans } from './orphans.ts';

let api: TestApi;
let admin: Client;
let adminId: string;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
  adminId = await api.account('admin', { isAdmin: true });
  admin = await api.as('admin');
});
afterAll(() => api?.stop());

async function layout(id: string, bytes: number): Promise<void> {
  const dir = path.join(api.dataDir, 'cache', 'staging', id);
  await mkdir(path.join(dir, 'blobs'), { recursive: true });
  await writeFile(path.join(dir, 'blobs', 'a'), Buffer.alloc(bytes));
}

it('a staging directory without a job is an orphan with its size; a job’s is none, and a young one stays for now', async () => {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const job = await api.store.jobs.insert({ ownerId: adminId, image: 'a', tag: '1', source });
  const orphan = randomUUID();
  await layout(job.id, 10);
  await layout(orphan, 1000);
  await mkdir(path.join(api.dataDir, 'cache', 'staging', 'not-a-job'));
  const listed = await (await admin.get('/api/system/orphans')).json();
  expect(listed).toMatchObject({
    items: [{ job_id: orphan, size: 1000, files: 1, removable: false }],
    complete: true,
  });
  const removed = await admin.delete('/api/system/orphans');
  expect([removed.status, await removed.json()]).toEqual([202, { removing: [], size: 0 }]);
  expect((await api.queues.depths()).find(({ queue }) => queue === 'tasks')?.waiting).toBe(0);
});

it('an old one is removed by a worker, which asks for the row once more', async () => {
  const orphan = randomUUID();
  await layout(orphan, 500);
  const asked: unknown[] = [];
  const orphans = createOrphans({
    stagingDir: path.join(api.dataDir, 'cache', 'staging'),
    jobs: api.store.jobs,
    enqueue: async (task) => void asked.push(task),
    now: () => Date.now() + 11 * 60_000,
  });
  expect((await orphans.remove()).map(({ jobId }) => jobId)).toContain(orphan);
  expect(asked).toContainEqual({ name: 'discard', jobId: orphan });
});

it('C7: another job that links a blob of an orphan does not make the orphan young again', async () => {
  const staging = path.join(api.dataDir, 'cache', 'staging');
  const [orphan, job] = [randomUUID(), randomUUID()];
  await layout(orphan, 700);
  await mkdir(path.join(staging, job));
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const dir of ['blobs', '.']) await utimes(path.join(staging, orphan, dir), hourAgo, hourAgo);
  // The link changes the ctime of the file, which both share, to now.
  await link(path.join(staging, orphan, 'blobs', 'a'), path.join(staging, job, 'a'));
  const ports = { stagingDir: staging, jobs: api.store.jobs, enqueue: async () => undefined, now: Date.now };
  const { items } = await createOrphans(ports).list();
  expect(items.find(({ jobId }) => jobId === orphan)).toMatchObject({ removable: true, modifiedAt: hourAgo });
  expect(items.find(({ jobId }) => jobId === job)).toMatchObject({ removable: false });
});

it('a collection needs a worker that has the storage; one at a time', async () => {
  expect(await (await admin.get('/api/system/gc')).json()).toMatchObject({ state: 'idle', log_tail: [] });
  const refused = await admin.post('/api/system/gc', {});
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'GC_UNAVAILABLE' }]);
  const detail = () => ({ collects_garbage: true });
  const worker = heartbeat(api.redis, { name: 'worker', instance: 'w', version: '1', detail });
  await worker.start?.();
  try {
    const started = await admin.post('/api/system/gc', { dry_run: true });
    const state = { state: 'running', dry_run: true, delete_untagged: false, requested_by: 'admin' };
    expect([started.status, await started.json()]).toMatchObject([202, state]);
    const again = await admin.post('/api/system/gc', {});
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'GC_RUNNING' }]);
    expect(await (await admin.get('/api/system/gc')).json()).toMatchObject(state);
  } finally {
    await worker.stop?.();
  }
});
