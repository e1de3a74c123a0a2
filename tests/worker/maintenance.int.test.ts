/** How requested maintenance reaches a worker: by rows, wake-ups of the queue, and the sweeper. */
import { expect, it } from 'vitest';
import { harness, latest, request, startMaintained } from './maintenance.fixture.ts';

startMaintained();

const NEVER_S = '86400';

/** The sweeper has run once, at its start, and does not run again. */
async function startWithoutSweeps() {
  const env = { REGISTRY_STORAGE: harness.registry.storageDir, SWEEP_SECONDS: NEVER_S };
  const worker = await harness.startWorker(env);
  await expect.poll(() => harness.redis.exists('portcullis:tasks:repeat:sweep')).toBe(1);
  const open = async () => (await harness.queues.depths()).find(({ queue }) => queue === 'tasks');
  await expect.poll(open).toMatchObject({ waiting: 0, running: 0 });
  return worker;
}

it('a wake-up begins a requested run, without a sweep', async () => {
  const worker = await startWithoutSweeps();
  const run = await request();
  await harness.queues.wake(run);
  await expect.poll(latest).toMatchObject({ id: run.id, state: 'done', attempts: 1 });
  await worker.kill('SIGTERM');
});
