/**
 * Schedules whose times passed or whose owner may not, and their fairness beside a batch of a
 * thousand.
 */
import type { StagingJob } from '@portcullis/domain';
import { recent } from '@portcullis/events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProxy } from './proxy.ts';
import {
  harness,
  order,
  runsOf,
  save,
  schedule,
  source,
  startSchedules,
  until,
  worker,
} from './schedules.fixture.ts';

startSchedules();

describe('a schedule', () => {
  it('whose times passed without a worker runs once afterwards', async () => {
    // Every hour, but not within the next minutes.
    const cron = `${(new Date().getUTCMinutes() + 30) % 60} * * * *`;
    const { id } = await schedule({ cron, nextRunAt: new Date(Date.now() - 5 * 3_600_000) });
    await worker();
    await worker();
    const row = await until(id, ({ lastTransferId }) => lastTransferId !== null);
    // The same tasks of the same workers run another schedule twice meanwhile.
    const other = await schedule({ cron: '* * * * * *' });
    await expect.poll(async () => (await runsOf(other.id)).length).toBeGreaterThanOrEqual(2);
    expect(await runsOf(id)).toHaveLength(1);
    expect(row.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    const { items } = await harness.store.jobs.list({ transferId: row.lastTransferId ?? '' });
    const events = await recent(harness.redis, 1_000);
    const ran = events.find(({ resource }) => resource?.id === id);
    expect(ran).toMatchObject({ event: 'transfer.schedule.ran', request_id: expect.any(String) });
    expect(items).toMatchObject([{ requestId: ran?.request_id }]);
  });

  it('does not run during its last transfer, records that, and runs after it', async () => {
    const slow = await startProxy(source.url, { delayMs: 2_500 });
    onTestFinished(() => slow[Symbol.asyncDispose]());
    const { id } = await schedule({
      cron: '* * * * * *',
      order: order('gate/slow', await save(slow.host)),
    });
    await worker();
    await until(id, ({ lastError }) => lastError?.code === 'STILL_RUNNING');
    expect(await runsOf(id)).toHaveLength(1);
    slow.behaviour = {};
    await until(id, ({ lastError }) => lastError === null);
    await expect.poll(async () => (await runsOf(id)).length).toBeGreaterThanOrEqual(2);
  });

  it('whose saved registry has another host does not run, and records why', async () => {
    const moving = await save('127.0.0.1:9');
    const { id } = await schedule({ order: order('gate/moved', moving) });
    await harness.store.registries.update(moving.id, { host: source.host });
    await worker();
    expect((await until(id, ({ lastError }) => lastError !== null)).lastError?.code).toBe(
      'REGISTRY_CHANGED',
    );
  });

  it('runs by hand before its time', async () => {
    const later = new Date(Date.now() + 3_600_000);
    const { id } = await schedule({ nextRunAt: later });
    await worker();
    await harness.queues.enqueue({ name: 'run-schedule', scheduleId: id, manual: true });
    const row = await until(id, ({ lastTransferId }) => lastTransferId !== null);
    expect(row.nextRunAt).toEqual(later);
  });
});

describe('fairness', () => {
  it("a batch of a thousand does not delay another account's single pull by more than one image", async () => {
    const { store, queues } = harness;
    const entries = Array.from({ length: 1000 }, (_, n) => ({
      image: 'nightly/app',
      repository: `gate/bulk-${n}`,
      tags: { tag: '1' },
      targetTag: null,
    }));
    const bulk = { ...order('x'), entries };
    const jobs = entries.map(({ image }) => ({
      ownerId: harness.admin.id,
      image,
      tag: '1',
      source: bulk.source,
    }));
    const made = await store.transfers.insert({ ownerId: harness.admin.id, order: bulk, jobs });
    for (const job of made.jobs) await queues.dispatch(job);
    const running = await harness.startWorker({ WORKER_CONCURRENCY: 'pull=1' });
    onTestFinished(() => running.kill('SIGTERM'));
    await expect
      .poll(async () => (await store.transfers.find(made.id))?.counts.staged ?? 0)
      .toBeGreaterThan(5);

    const bob = await store.users.insert({ username: 'bob', passwordHash: null, isAdmin: true });
    const single = await store.jobs.insert({
      ownerId: bob.id,
      image: 'nightly/app',
      tag: '1',
      source: bulk.source,
    });
    await queues.dispatch(single);
    // Counted from its entry in the queue, because a busy machine may enqueue it late.
    const enqueuedAt = Date.now();
    const done = await harness.settled(single.id);
    const beganAt = ({ timeline }: StagingJob) =>
      timeline.find(({ status }) => status === 'pulling')?.at.getTime() ?? Infinity;
    const endedAt = ({ timeline }: StagingJob) => timeline.at(-1)?.at.getTime() ?? 0;
    const others = await Promise.all(made.jobs.map(({ id }) => store.jobs.get(id)));
    const between = others.filter(
      (job) => beganAt(job) > enqueuedAt && beganAt(job) < beganAt(done),
    );
    // Where none was running, the next one may have left the queue without having begun.
    const underWay = others.some((job) => beganAt(job) <= enqueuedAt && endedAt(job) >= enqueuedAt);
    expect(between.length).toBeLessThanOrEqual(underWay ? 1 : 2);
    await store.transfers.cancel(made.id);
  });
});
