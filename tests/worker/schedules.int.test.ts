/** Schedules, run by workers as processes: on time, once, with the owner's rights, or refused. */
import { randomUUID } from 'node:crypto';
import type { StagingJob, TransferOrder } from '@portcullis/domain';
import { recent } from '@portcullis/events';
import type { SavedRegistry, Schedule, User } from '@portcullis/store';
import {
  fetchManifest,
  pushImage,
  randomImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { orderOf, toLocal } from './batch.ts';
import { type Harness, openHarness } from './harness.ts';
import { startProxy } from './proxy.ts';

let harness: Harness;
let source: TestRegistry;
let saved: SavedRegistry;

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  saved = await save(source.host);
  await pushImage(source.url, 'nightly/app', '1', await randomImage());
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

const save = (host: string) => harness.store.registries.insert({ name: host, host, useTls: false });

async function worker() {
  const started = await harness.startWorker();
  onTestFinished(() => started.kill('SIGTERM'));
  return started;
}

function order(repository: string, from: SavedRegistry = saved): TransferOrder {
  const entry = { image: 'nightly/app', repository, tags: { tag: '1' }, targetTag: null };
  const ends = {
    from: { registryId: from.id, host: from.host },
    to: toLocal(harness.registry.host),
  };
  return orderOf(ends, [entry]);
}

interface Made {
  cron?: string;
  owner?: User;
  nextRunAt?: Date;
  order?: TransferOrder;
}

async function schedule({
  cron = '0 0 1 1 *',
  owner = harness.admin,
  nextRunAt = new Date(),
  ...rest
}: Made = {}) {
  const made = await harness.store.schedules.insert({
    ownerId: owner.id,
    name: 'nightly',
    cron,
    timezone: 'UTC',
    enabled: true,
    request: {},
    order: rest.order ?? order(`gate/${randomUUID()}`),
    nextRunAt,
  });
  onTestFinished(async () => void (await harness.store.schedules.remove(made.id)));
  return made;
}

async function until(id: string, done: (row: Schedule) => boolean): Promise<Schedule> {
  let row: Schedule | null = null;
  await expect
    .poll(async () => {
      row = await harness.store.schedules.find(id);
      return row !== null && done(row);
    })
    .toBe(true);
  if (!row) throw new Error('the schedule is gone');
  return row;
}

const runsOf = async (id: string) =>
  (await harness.store.transfers.list({ limit: 200 })).items.filter(
    ({ scheduleId }) => scheduleId === id,
  );

describe('a schedule', () => {
  it('without an entry in Redis runs every second, one run after the other, and stops when it is removed', async () => {
    const repository = 'gate/every-second';
    const { id } = await schedule({ cron: '* * * * * *', order: order(repository) });
    await worker();
    await expect.poll(async () => (await runsOf(id)).length).toBeGreaterThanOrEqual(3);
    const runs = await runsOf(id);
    // Oldest first: each began after the one before had ended.
    const [first, second] = runs.reverse();
    const over = await harness.store.jobs.list({ transferId: first?.id });
    expect(second?.createdAt.getTime()).toBeGreaterThanOrEqual(
      over.items[0]?.finishedAt?.getTime() ?? Infinity,
    );
    await harness.store.schedules.remove(id);
    // A registry of version 2 answers 500 while a run that had begun writes the tag's link anew.
    await expect
      .poll(async () => (await fetchManifest(harness.registry.url, repository, '1')).status)
      .toBe(200);
  });

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

  it.each<[string, string, (alice: User) => Promise<unknown>]>([
    ['of an account that lost the right', 'PULL_EXTERNAL_FORBIDDEN', async () => undefined],
    [
      'of a disabled account',
      'ACCOUNT_DISABLED',
      (alice) => harness.store.users.update(alice.id, { disabled: true }),
    ],
  ])('%s does not run, and records why', async (_, code, change) => {
    const owner = await harness.store.users.insert({
      username: `o-${randomUUID()}`,
      passwordHash: null,
    });
    await change(owner);
    const { id } = await schedule({ owner });
    await worker();
    const row = await until(id, ({ lastError }) => lastError !== null);
    expect(row.lastError).toMatchObject({ code, message: expect.any(String) });
    expect(row.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await runsOf(id)).toEqual([]);
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
