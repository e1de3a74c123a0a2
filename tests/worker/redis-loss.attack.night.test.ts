/** Redis loses all data while work is under way: PostgreSQL must be enough to continue. */
import { recent } from '@portcullis/events';
import {
  type LossyRedis,
  openSql,
  pushImage,
  randomImage,
  startLossyRedis,
  startRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, openHarness, type WorkerProcess } from './harness.ts';
import { type FaultyRegistry, startProxy } from './proxy.ts';

let redis: LossyRedis;
let harness: Harness;
let source: Awaited<ReturnType<typeof startRegistry>>;
let slow: FaultyRegistry;
let first: WorkerProcess;

beforeAll(async () => {
  redis = await startLossyRedis();
  [harness, source] = await Promise.all([openHarness({ redis }), startRegistry()]);
  slow = await startProxy(source.url, { delayMs: 100 });
  first = await harness.startWorker({ WORKER_CONCURRENCY: 'pull=1,scan=1,push=1' });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await slow?.[Symbol.asyncDispose]();
  await source?.stop();
});

const PULLS = 20;

/** One at a time from a slow source, so that most of them are queued when Redis is lost. */
async function orderPulls(repository: string): Promise<string[]> {
  await pushImage(source.url, repository, '1', await randomImage());
  const jobs = [];
  for (let n = 0; n < PULLS; n++)
    jobs.push(await harness.submit({ image: repository, tag: '1', host: slow.host }));
  const first = jobs[0]?.id ?? '';
  await harness.until(first, ({ status }) => status !== 'pull_queued');
  return jobs.map(({ id }) => id);
}

async function statuses(ids: string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const id of ids) {
    const { status } = await harness.store.jobs.get(id);
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

const allStaged = (ids: string[]) =>
  expect.poll(() => statuses(ids), { interval: 500 }).toEqual({ staged: PULLS });

const SCHEDULERS = ['sweep', 'trim-events'].map((name) => `portcullis:tasks:repeat:${name}`);

describe('F1: the sweeper is restored automatically', () => {
  it('after FLUSHALL: twenty pulls end, and the recurring tasks are scheduled again', async () => {
    const ids = await orderPulls('team/flushed');
    await harness.redis.flushall();
    await allStaged(ids);
    await expect.poll(() => harness.redis.exists(...SCHEDULERS)).toBe(SCHEDULERS.length);
  });

  it('after Redis was killed and restarted empty: twenty pulls end', async () => {
    const ids = await orderPulls('team/lost');
    await redis.crash();
    await redis.startEmpty();
    await allStaged(ids);
    await expect.poll(() => harness.redis.exists(...SCHEDULERS)).toBe(SCHEDULERS.length);
  });
});

it('F1: the scheduler of a transfer schedule is restored automatically, at the time of its row', async () => {
  const order = { entries: [] } as never;
  const { id } = await harness.store.schedules.insert({
    ownerId: harness.admin.id,
    name: 'yearly',
    cron: '0 0 1 1 *',
    timezone: 'UTC',
    enabled: true,
    request: {} as never,
    order,
    nextRunAt: new Date('2999-01-01'),
  });
  const key = `portcullis:tasks:repeat:schedule-${id}`;
  await expect.poll(() => harness.redis.hget(key, 'pattern')).toBe('0 0 1 1 *');
  await harness.redis.flushall();
  await expect.poll(() => harness.redis.hget(key, 'pattern')).toBe('0 0 1 1 *');
});

describe('F5: a worker that is killed between committing a transition and publishing it', () => {
  /** The lock of outbox.ts: its holder keeps every process from publishing. */
  const PUBLISHING_LOCK = 74_726_002;

  it('leaves the event in the outbox, and another process publishes it once', async () => {
    const sql = await openSql(harness.databaseUrl);
    onTestFinished(() => sql.end());
    await pushImage(source.url, 'team/killed', '1', await randomImage());
    await sql.query(`SELECT pg_advisory_lock(${PUBLISHING_LOCK})`);
    const job = await harness.submit({ image: 'team/killed', tag: '1', host: slow.host });
    const pulled = async () =>
      (await recent(harness.redis, 1_000)).filter(
        ({ event, resource }) => event === 'staging.pulled' && resource?.id === job.id,
      ).length;
    await harness.settled(job.id);
    await first.kill('SIGKILL');
    expect(await pulled()).toBe(0);
    await sql.query(`SELECT pg_advisory_unlock(${PUBLISHING_LOCK})`);
    await harness.startWorker();
    await expect.poll(pulled).toBe(1);
    // The row is removed once the event is on the stream.
    await expect.poll(async () => (await harness.store.outbox.waiting()).count).toBe(0);
  });
});
