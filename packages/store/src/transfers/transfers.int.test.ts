import { randomUUID } from 'node:crypto';
import {
  advance,
  type Push,
  retry,
  type StagingJob,
  type TransferEntry,
  type TransferOrder,
  transferJob,
} from '@portcullis/domain';
import { forRequest, sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type NewTransfer,
  openStore,
  type Store,
  type TransferredJob,
  type User,
} from '../index.ts';

let database: TestDatabase;
let store: Store;
let ada: User;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  await store.users.insert({ username: 'root', passwordHash: null, isAdmin: true });
});
afterAll(async () => {
  await store.close();
  await database.stop();
});
beforeEach(async () => {
  ada = await store.users.insert({ username: randomUUID(), passwordHash: null });
});

const entry = (image: string, tags: TransferEntry['tags']): TransferEntry => ({
  image,
  repository: `gate/${image}`,
  tags,
  targetTag: null,
});

function transfer(entries: TransferEntry[]): NewTransfer {
  const order: TransferOrder = {
    source: { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' },
    destination: { kind: 'local', registryId: '__local__', host: 'here' },
    entries,
    platforms: 'all',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    withReferrers: true,
    bypass: { allowed: true, reason: null },
  };
  return {
    ownerId: ada.id,
    order,
    jobs: entries.flatMap((each) => ('tag' in each.tags ? [job(order, each, each.tags.tag)] : [])),
  };
}

function job(order: TransferOrder, each: TransferEntry, tag: string) {
  return transferJob(
    order,
    { entry: each, tag },
    { by: ada, pushId: randomUUID(), now: new Date() },
  );
}

const images = (count: number) =>
  Array.from({ length: count }, (_, n) => entry(`app-${n}`, { tag: '1' }));
const PATTERN = { match: { glob: '*' }, newest: null };

async function put(id: string, change: (row: StagingJob) => StagingJob) {
  await store.jobs.update(id, change);
}

describe('transfers', () => {
  it('a thousand jobs are inserted together, and a transfer with one invalid job is not inserted at all', async () => {
    const { id, jobs } = await store.transfers.insert(transfer(images(1000)));
    expect(jobs).toHaveLength(1000);
    expect(await store.transfers.find(id)).toMatchObject({
      counts: { pull_queued: 1000 },
      ownerName: ada.username,
    });
    expect(await store.jobs.get(jobs[0]?.id ?? '')).toMatchObject({
      auto: true,
      transferId: id,
      withReferrers: true,
    });

    const broken = transfer(images(2));
    const twice = randomUUID();
    broken.jobs = broken.jobs.map((each) => ({ ...each, id: twice }));
    const before = (await store.transfers.list({ ownerId: ada.id })).total;
    await expect(store.transfers.insert(broken)).rejects.toThrow();
    expect((await store.transfers.list({ ownerId: ada.id })).total).toBe(before);
  });

  it('counts and bytes come from the jobs', async () => {
    const { id, jobs } = await store.transfers.insert(transfer(images(3)));
    const [first, second] = jobs;
    const digest = `sha256:${'a'.repeat(64)}`;
    await put(first?.id ?? '', (row) => ({
      ...row,
      status: 'pushed',
      digest,
      size: 5_000_000_000,
      progress: { ...row.progress, bytesReused: 7 },
      pushes: row.pushes.map((push) => ({ ...push, bytesDone: 11, bytesMounted: 3 })),
    }));
    await put(second?.id ?? '', (row) => ({ ...row, status: 'failed' }));
    expect(await store.transfers.find(id)).toMatchObject({
      counts: { pushed: 1, failed: 1, pull_queued: 1 },
      bytes: { total: 5_000_000_000, done: 11, reused: 7, mounted: 3 },
    });
  });

  it('counts the jobs that the gate stopped', async () => {
    const { id, jobs } = await store.transfers.insert(transfer(images(4)));
    const failed = (code: string) => ({ code, message: '', side: null, retryable: false });
    const changes: Partial<StagingJob>[] = [
      { status: 'failed', error: failed('VULN_BLOCKED'), verdict: 'blocked' },
      { status: 'failed', error: failed('MANIFEST_UNKNOWN') },
      { status: 'staged', verdict: 'blocked' },
      { status: 'failed', error: null },
    ];
    for (const [n, change] of changes.entries())
      await put(jobs[n]?.id ?? '', (row) => ({ ...row, ...change }));
    expect(await store.transfers.find(id)).toMatchObject({
      counts: { failed: 3, staged: 1 },
      blocked: 2,
      refused: 1,
    });
    const listed = async (blocked: boolean) =>
      (await store.jobs.list({ transferId: id, blocked })).items.map(({ image }) => image).sort();
    expect(await listed(true)).toEqual(['app-0', 'app-2']);
    expect(await listed(false)).toEqual(['app-1', 'app-3']);
    const found = await store.jobs.list({ transferId: id, verdict: ['blocked'] });
    expect(found.total).toBe(2);
    const figures = (recent: Date) =>
      store.figures.jobs({ ownerId: ada.id, since: new Date(0), recent });
    const { blocked, days, recentlyFailed } = await figures(new Date(Date.now() - 60_000));
    expect([blocked, days[0]]).toMatchObject([2, { total: 4, failed: 2, blocked: 2 }]);
    expect(recentlyFailed).toBe(2);
    expect(await figures(new Date(Date.now() + 60_000))).toMatchObject({ recentlyFailed: 0 });
  });

  it('counts the pushed images that bypassed the gate, and knows who did so why', async () => {
    const { id, jobs } = await store.transfers.insert(transfer(images(5)));
    const pushed = (passed: Partial<Push>) => (row: StagingJob) => ({
      ...row,
      status: 'pushed' as const,
      pushes: row.pushes.map((push) => ({ ...push, ...passed })),
    });
    const bypassed = 'VULN_BLOCKED';
    const urgent = { bypassed, bypass: { allowed: true, reason: 'urgent' }, requestedBy: 'bob' };
    const ada = { bypassed, requestedBy: 'ada' };
    const again = { ...ada, bypass: { allowed: true, reason: 'again' } };
    const passed = [urgent, ada, urgent, {}, again];
    for (const [n, push] of passed.entries()) await put(jobs[n]?.id ?? '', pushed(push));
    expect(await store.transfers.find(id)).toMatchObject({
      counts: { pushed: 5 },
      bypassed: 4,
      // The first answer of each account comes before the second one of any.
      bypasses: [
        { by: 'ada', reason: 'again' },
        { by: 'bob', reason: 'urgent' },
        { by: 'ada', reason: null },
      ],
    });
  });

  it('lists page by page, newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1)
      made.push((await store.transfers.insert(transfer(images(1)))).id);
    const first = await store.transfers.list({ ownerId: ada.id, limit: 2 });
    const rest = await store.transfers.list({
      ownerId: ada.id,
      limit: 2,
      cursor: first.nextCursor ?? '',
    });
    expect([...first.items, ...rest.items].map(({ id }) => id).sort()).toEqual(made.sort());
    expect(rest.nextCursor).toBeNull();
  });

  it('cancelling ends waiting jobs, notifies running ones, and does not change settled ones', async () => {
    const { id, jobs } = await forRequest('ticket-transfer', () =>
      store.transfers.insert(transfer([...images(600), entry('all', PATTERN)])),
    );
    const [over, runs] = jobs;
    await put(over?.id ?? '', (row) => ({ ...row, status: 'pushed' }));
    await store.jobs.begin(runs?.id ?? '', 'pull', 'w1');
    const running = await forRequest('ticket-cancel', () => store.transfers.cancel(id));
    expect(running.map((each) => each.id)).toEqual([runs?.id]);
    expect(await store.transfers.find(id)).toMatchObject({
      counts: { cancelled: 598, pushed: 1, pulling: 1 },
      selections: [{ state: 'cancelled', entry: { image: 'all' } }],
    });
    // Its worker goes on with what the first request asked for.
    const asked = { cancelRequested: true, requestId: 'ticket-transfer' };
    expect(await store.jobs.get(runs?.id ?? '')).toMatchObject(asked);
    const cancelled = await store.jobs.list({ transferId: id, status: 'cancelled', limit: 1 });
    expect(cancelled.items[0]).toMatchObject({
      finishedAt: expect.any(Date),
      ...{ fence: 1, requestId: 'ticket-cancel' },
    });
    expect(cancelled.items[0]?.timeline.map(({ status }) => status)).toEqual([
      'pull_queued',
      'cancelled',
    ]);
  });

  it('a retry requeues failed jobs only', async () => {
    const { id, jobs } = await store.transfers.insert(transfer(images(2)));
    const error = { code: 'X', message: 'x', side: null, retryable: true };
    const [failed] = jobs;
    const begun = await store.jobs.begin(failed?.id ?? '', 'pull', 'w1');
    if (!begun) throw new Error('did not begin');
    await store.jobs.save(advance(begun, { kind: 'failed', error }, new Date()), begun.fence);
    const again = await forRequest('ticket-retry', () =>
      store.transfers.updateJobs(id, ['failed'], (row) =>
        retry(row, { id: row.ownerId, isAdmin: false }, new Date()),
      ),
    );
    expect(again.map((each) => each.id)).toEqual([failed?.id]);
    expect(await store.jobs.get(failed?.id ?? '')).toMatchObject({
      status: 'pull_queued',
      error: null,
      attempts: 0,
      requestId: 'ticket-retry',
    });
  });

  it('lists its jobs by image and tag, page by page, each once', async () => {
    const entries = ['b', 'a', 'a', 'c', 'a'].map((image) => entry(image, { tag: '1' }));
    const { id, jobs } = await store.transfers.insert(transfer(entries));
    const seen: TransferredJob[] = [];
    for (;;) {
      const page = await store.transfers.jobs(id, { after: seen.at(-1), limit: 2 });
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen.map(({ image }) => image)).toEqual(['a', 'a', 'a', 'b', 'c']);
    expect(new Set(seen.map((each) => each.id))).toEqual(new Set(jobs.map((each) => each.id)));
    expect(await store.transfers.jobs(id, { outcome: 'failed', limit: 9 })).toEqual([]);
  });

  it('removes its jobs with it', async () => {
    const { id, jobs } = await store.transfers.insert(transfer(images(2)));
    expect(await store.transfers.remove(id)).toHaveLength(2);
    expect(await store.jobs.find(jobs[0]?.id ?? '')).toBeNull();
    expect(await store.transfers.find(id)).toBeNull();
  });
});

describe('a selection', () => {
  async function selecting() {
    const made = transfer([entry('all', PATTERN)]);
    const { id } = await store.transfers.insert(made);
    const at = { transferId: id, position: 0 };
    const jobs = (...tags: string[]) =>
      tags.map((tag) => job(made.order, made.order.entries[0] as TransferEntry, tag));
    return { id, at, jobs };
  }

  it('becomes jobs step by step, each step once, whoever repeats it', async () => {
    const { id, at, jobs } = await selecting();
    const first = { ...at, cursor: null, next: 'page2', tagsSeen: 3, jobs: jobs('1', '2') };
    expect(await store.transfers.step(first)).toHaveLength(2);
    expect(await store.transfers.step(first)).toBeNull();
    expect(await store.transfers.queued(id)).toMatchObject([
      { position: 0, cursor: 'page2', jobsMade: 2 },
    ]);
    await store.transfers.step({
      ...at,
      cursor: 'page2',
      next: null,
      tagsSeen: 1,
      jobs: jobs('3'),
    });
    expect(await store.transfers.find(id)).toMatchObject({
      counts: { pull_queued: 3 },
      selections: [{ state: 'done', tagsSeen: 4, jobsMade: 3 }],
    });
  });

  it('creates nothing once it was cancelled', async () => {
    const { id, at, jobs } = await selecting();
    await store.transfers.cancel(id);
    expect(
      await store.transfers.step({ ...at, cursor: null, next: null, tagsSeen: 1, jobs: jobs('1') }),
    ).toBeNull();
    expect((await store.transfers.find(id))?.counts).toEqual({});
  });

  it('that failed can be queued again; one with a transient failure stays queued', async () => {
    const { id, at } = await selecting();
    await store.transfers.selectionFailed(at, { code: 'A', message: 'a' }, true);
    expect(await store.transfers.queued(id)).toMatchObject([{ attempts: 1 }]);
    await store.transfers.selectionFailed(at, { code: 'B', message: 'b' }, false);
    expect(await store.transfers.find(id)).toMatchObject({
      selections: [{ state: 'failed', error: { code: 'B' } }],
    });
    expect(await store.transfers.requeueSelections(id)).toBe(1);
    expect(await store.transfers.queued(id)).toHaveLength(1);
  });

  it('that no worker processes is found by one sweeper', async () => {
    const { id } = await selecting();
    const both = await Promise.all([
      store.transfers.stale({ olderThanMs: 0 }),
      store.transfers.stale({ olderThanMs: 3_600_000 }),
    ]);
    expect(both[0]).toContain(id);
    expect(both[1]).not.toContain(id);
  });
});

describe('schedules', () => {
  const NOW = new Date('2026-11-21T12:00:00Z');
  const LATER = new Date('2026-11-21T13:00:00Z');
  const made = async (nextRunAt: Date | null = NOW) =>
    store.schedules.insert({
      ownerId: ada.id,
      name: 'nightly',
      cron: '0 * * * *',
      timezone: 'UTC',
      enabled: true,
      request: { images: [] },
      order: transfer([]).order,
      nextRunAt,
    });
  const run = { now: NOW, manual: false, nextRunAt: LATER };

  it('starts once, however many callers at the same time', async () => {
    const { id } = await made();
    const starts = await Promise.all(
      [1, 2, 3, 4].map(() => store.schedules.start(id, { ...run, transfer: transfer(images(1)) })),
    );
    expect(starts.map(({ kind }) => kind).sort()).toEqual([
      'not_due',
      'not_due',
      'not_due',
      'started',
    ]);
    expect(await store.schedules.find(id)).toMatchObject({
      nextRunAt: LATER,
      lastRunAt: NOW,
      lastError: null,
    });
  });

  it('does not start while its last transfer runs, keeps its time, and starts after that', async () => {
    const { id } = await made();
    const first = await store.schedules.start(id, { ...run, transfer: transfer(images(1)) });
    const again = {
      ...run,
      now: LATER,
      nextRunAt: new Date(LATER.getTime() + 1),
      transfer: transfer(images(1)),
    };
    expect(await store.schedules.start(id, again)).toEqual({ kind: 'still_running' });
    expect(await store.schedules.due(LATER)).toContain(id);
    if (first.kind !== 'started') throw new Error('did not start');
    await store.transfers.cancel(first.transferId);
    expect(await store.schedules.start(id, again)).toMatchObject({ kind: 'started' });
  });

  it('started by hand starts before its time, and keeps it', async () => {
    const { id } = await made(LATER);
    expect(await store.schedules.start(id, { ...run, transfer: transfer([]) })).toEqual({
      kind: 'not_due',
    });
    expect(
      await store.schedules.start(id, { ...run, manual: true, transfer: transfer([]) }),
    ).toMatchObject({
      kind: 'started',
    });
    expect((await store.schedules.find(id))?.nextRunAt).toEqual(LATER);
  });

  it('is due only while it is enabled', async () => {
    const { id } = await made();
    await store.schedules.update(id, { enabled: false, nextRunAt: null });
    expect(await store.schedules.due(LATER)).not.toContain(id);
    expect((await store.schedules.enabled()).map((each) => each.id)).not.toContain(id);
  });

  it('is removed with its owner', async () => {
    const { id } = await made();
    await store.users.remove(ada.id);
    expect(await store.schedules.find(id)).toBeNull();
  });
});
