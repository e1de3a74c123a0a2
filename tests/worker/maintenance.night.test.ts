/** Runs whose wake-up is lost, or whose workers died three times. */
import { recent } from '@portcullis/events';
import { forRequest } from '@portcullis/runtime';
import { openSql } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { harness, latest, request, startMaintained } from './maintenance.fixture.ts';

startMaintained();

it('F1: a run whose wake-up is lost with the data of Redis is enqueued again', async () => {
  const env = { REGISTRY_STORAGE: harness.registry.storageDir, SWEEP_SECONDS: '1' };
  const worker = await harness.startWorker(env);
  const run = await forRequest('ticket-4711', request);
  // Due in a day: until that entry is lost, the sweeper has nothing to add.
  await harness.queues.wake(run, { delayMs: 86_400_000 });
  await harness.redis.flushall();
  await expect.poll(latest).toMatchObject({ id: run.id, state: 'done' });
  // The row has the id of the request, which the event then has, too.
  await expect
    .poll(() => recent(harness.redis, 100))
    .toContainEqual(
      expect.objectContaining({ event: 'system.gc_finished', request_id: 'ticket-4711' }),
    );
  await worker.kill('SIGTERM');
});

it('a run whose workers died three times fails with WORKER_LOST, on the record', async () => {
  const run = await request();
  const sql = await openSql(harness.databaseUrl);
  await sql.query(
    `UPDATE maintenance_runs SET state = 'running', attempts = 3, tries = 3, lease_until = now() - interval '1 second'
      WHERE id = $1`,
    [run.id],
  );
  await sql.end();
  const worker = await harness.startWorker({ REGISTRY_STORAGE: harness.registry.storageDir });
  await expect
    .poll(latest)
    .toMatchObject({ id: run.id, state: 'failed', error: { code: 'WORKER_LOST' } });
  const event = async () =>
    (await recent(harness.redis, 50)).find(({ resource }) => resource?.id === run.id);
  await expect.poll(event).toMatchObject({ outcome: 'failure' });
  await worker.kill('SIGTERM');
});
