/** How requested maintenance reaches a worker: by rows, wake-ups of the queue, and the sweeper. */
import { recent } from '@portcullis/events';
import type { MaintenanceRun } from '@portcullis/store';
import { openSql } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStand, type Stand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand?.[Symbol.asyncDispose]());

const WITHIN = { timeout: 120_000, interval: 50 };
const NEVER_S = '86400';
const latest = () => stand.store.maintenance.latest('gc');

async function request(): Promise<MaintenanceRun> {
  const asked = { kind: 'gc', options: { dryRun: true }, requestedBy: 'root' } as const;
  const run = await stand.store.maintenance.request(asked);
  if (!run) throw new Error('a run is open');
  return run;
}

/** The sweeper has run once, at its start, and does not run again. */
async function startWithoutSweeps() {
  const env = { REGISTRY_STORAGE: stand.registry.storageDir, SWEEP_SECONDS: NEVER_S };
  const worker = await stand.startWorker(env);
  await expect.poll(() => stand.redis.exists('portcullis:tasks:repeat:sweep'), WITHIN).toBe(1);
  const open = async () => (await stand.queues.depths()).find(({ queue }) => queue === 'tasks');
  await expect.poll(open, WITHIN).toMatchObject({ waiting: 0, running: 0 });
  return worker;
}

it('a wake-up begins a requested run, without a sweep', async () => {
  const worker = await startWithoutSweeps();
  const run = await request();
  await stand.queues.wake(run);
  await expect.poll(latest, WITHIN).toMatchObject({ id: run.id, state: 'done', attempts: 1 });
  await worker.kill('SIGTERM');
}, 180_000);

it('F1: a run whose wake-up is lost with the data of Redis is enqueued again', async () => {
  const env = { REGISTRY_STORAGE: stand.registry.storageDir, SWEEP_SECONDS: '1' };
  const worker = await stand.startWorker(env);
  const run = await request();
  // Due in a day: until that entry is lost, the sweeper has nothing to add.
  await stand.queues.wake(run, { delayMs: 86_400_000 });
  await stand.redis.flushall();
  await expect.poll(latest, WITHIN).toMatchObject({ id: run.id, state: 'done' });
  await worker.kill('SIGTERM');
}, 180_000);

it('a run whose workers died three times fails with WORKER_LOST, on the record', async () => {
  const run = await request();
  const sql = await openSql(stand.databaseUrl);
  await sql.query(
    `UPDATE maintenance_runs SET state = 'running', attempts = 3, tries = 3, lease_until = now()
      WHERE id = $1`,
    [run.id],
  );
  await sql.end();
  const worker = await stand.startWorker({ REGISTRY_STORAGE: stand.registry.storageDir });
  await expect
    .poll(latest, WITHIN)
    .toMatchObject({ id: run.id, state: 'failed', error: { code: 'WORKER_LOST' } });
  const event = async () =>
    (await recent(stand.redis, 50)).find(({ resource }) => resource?.id === run.id);
  await expect.poll(event, WITHIN).toMatchObject({ outcome: 'failure' });
  await worker.kill('SIGTERM');
}, 180_000);
