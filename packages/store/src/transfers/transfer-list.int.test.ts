/** The filters and orders of the list of transfers, over rows in every state. */
import { randomUUID } from 'node:crypto';
import {
  JOB_STATUSES,
  type JobStatus,
  SELECTION_STATES,
  type SelectionState,
  TRANSFER_SORTS,
  TRANSFER_STATUSES,
  type TransferOrder,
  type TransferSort,
  transferJob,
  transferStatus,
} from '@portcullis/domain';
import { everyItem } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import type { TransferFilter, User } from '../index.ts';
import { storeOfTwo } from '../two-accounts.fixture.ts';

const given = storeOfTwo();

type Outcome = JobStatus | 'refused';

interface Made {
  image?: string;
  owner?: User;
  jobs?: readonly Outcome[];
  selections?: readonly SelectionState[];
  source?: string;
  createdAt?: string;
  schedule?: string;
}

const REFUSED = { code: 'VULN_BLOCKED', message: '', side: null, retryable: false };

async function made(wanted: Made): Promise<string> {
  const { image = 'app', owner = given.ada, jobs = [], selections = [] } = wanted;
  const { source = 'registry-1.docker.io', createdAt = '2026-01-01' } = wanted;
  const entry = { image, repository: `gate/${image}`, targetTag: null };
  const order: TransferOrder = {
    source: { kind: 'dockerhub', registryId: null, host: source },
    destination: { kind: 'local', registryId: '__local__', host: 'here' },
    entries: [
      ...jobs.map((_, n) => ({ ...entry, tags: { tag: `v${n}` } })),
      ...selections.map(() => ({ ...entry, tags: { match: { glob: '*' }, newest: null } })),
    ],
    platforms: 'all',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    withReferrers: true,
    bypass: { allowed: true, reason: null },
  };
  const { id, jobs: refs } = await given.store.transfers.insert({
    ownerId: owner.id,
    order,
    jobs: jobs.map((_, n) =>
      transferJob(
        order,
        { entry: { ...entry, tags: { tag: `v${n}` } }, tag: `v${n}` },
        { by: owner, pushId: randomUUID(), now: new Date() },
      ),
    ),
  });
  for (const [n, outcome] of jobs.entries())
    await given.sql.query('UPDATE staging_jobs SET status = $1, error = $2 WHERE id = $3', [
      outcome === 'refused' ? 'failed' : outcome,
      outcome === 'refused' ? REFUSED : null,
      refs[n]?.id,
    ]);
  for (const [n, state] of selections.entries())
    await given.sql.query(
      'UPDATE transfer_selections SET state = $1 WHERE transfer_id = $2 AND position = $3',
      [state, id, jobs.length + n],
    );
  await given.sql.query('UPDATE transfers SET created_at = $1, schedule_id = $2 WHERE id = $3', [
    createdAt,
    wanted.schedule ?? null,
    id,
  ]);
  return id;
}

const found = async (filter: TransferFilter) =>
  (await given.store.transfers.list(filter)).items.map(({ id }) => id);

describe('the filter by status', () => {
  it('finds what the rule of the domain says, for every pair of states', async () => {
    const pairs: { jobs: JobStatus[]; selections?: SelectionState[] }[] = [
      ...JOB_STATUSES.flatMap((a) => JOB_STATUSES.map((b) => ({ jobs: [a, b] }))),
      ...JOB_STATUSES.flatMap((a) => SELECTION_STATES.map((s) => ({ jobs: [a], selections: [s] }))),
      ...SELECTION_STATES.map((state) => ({ jobs: [], selections: [state] })),
    ];
    const expected: Record<string, string[]> = {};
    for (const pair of pairs) {
      const counts: Partial<Record<JobStatus, number>> = {};
      for (const status of pair.jobs) counts[status] = 1;
      const status = transferStatus(counts, pair.selections ?? []);
      expected[status] = [...(expected[status] ?? []), await made(pair)];
    }
    for (const status of TRANSFER_STATUSES)
      expect((await found({ status: [status], limit: 200 })).sort(), status).toEqual(
        expected[status]?.sort(),
      );
    const { total } = await given.store.transfers.list({ status: ['failed', 'partly_failed'] });
    expect(total).toBe((expected.failed?.length ?? 0) + (expected.partly_failed?.length ?? 0));
  });

  it('tells transfers that only the gate stopped from those that failed', async () => {
    const blocked = await made({ jobs: ['refused', 'pushed'] });
    const both = await made({ jobs: ['refused', 'failed'] });
    const unread = await made({ jobs: ['refused'], selections: ['failed'] });
    const pushed = await made({ jobs: ['pushed'] });
    expect(await found({ blocked: true })).toEqual([blocked]);
    expect((await found({ blocked: false })).sort()).toEqual([both, unread, pushed].sort());
  });
});

describe('the other filters', () => {
  it('are the account, in any case, and the time, its end excluded', async () => {
    const old = await made({ createdAt: '2026-01-01T00:00Z' });
    const late = await made({ owner: given.bob, createdAt: '2026-01-02T00:00Z' });
    expect(await found({ ownerName: 'bOB' })).toEqual([late]);
    expect(await found({ ownerId: given.ada.id })).toEqual([old]);
    expect(await found({ ownerId: given.ada.id, ownerName: 'bob' })).toEqual([]);
    expect(await found({ since: new Date('2026-01-02T00:00Z') })).toEqual([late]);
    expect(await found({ until: new Date('2026-01-02T00:00Z') })).toEqual([old]);
  });

  it.each([
    ['a repository of the source', 'NGI', ['nginx']],
    ['a repository of the destination', 'gate/redis', ['redis']],
    ['the repository of a pattern', 'many', ['many_v']],
    ['a tag', 'v1', ['redis']],
    ['the host of the source', 'quay', ['quay']],
    ['the host of the destination', 'here', ['many_v', 'nginx', 'quay', 'redis']],
    ['a wildcard as itself', '_', ['many_v']],
    ['the other wildcard as itself', '%', []],
    ['nothing', 'elsewhere', []],
  ])('are a text: %s', async (_, q, names) => {
    const ids = new Map([
      [await made({ image: 'nginx', jobs: ['pushed'] }), 'nginx'],
      [await made({ image: 'redis', jobs: ['pushed', 'pushed'] }), 'redis'],
      [await made({ image: 'many_v', selections: ['queued'] }), 'many_v'],
      [await made({ image: 'other', source: 'quay.io', jobs: ['pushed'] }), 'quay'],
    ]);
    expect((await found({ q })).map((id) => ids.get(id)).sort()).toEqual(names);
  });
});

async function scheduled(name: string): Promise<string> {
  const { id } = await given.store.schedules.insert({
    ...{ ownerId: given.ada.id, name, cron: '0 0 1 1 *', timezone: 'UTC', enabled: false },
    ...{ request: {}, order: {} as TransferOrder, nextRunAt: null },
  });
  return id;
}

describe('a transfer of a schedule', () => {
  it('has its name, is found by it, and keeps its first image when the schedule is gone', async () => {
    const schedule = await scheduled('Nightly_mirror');
    const id = await made({ schedule, jobs: ['pushed', 'pushed'] });
    await made({ jobs: ['pushed'] });
    expect(await found({ q: 'nightly_' })).toEqual([id]);
    expect(await given.store.transfers.find(id)).toMatchObject({
      ...{ scheduleName: 'Nightly_mirror', entryCount: 2 },
      firstEntry: { image: 'app', repository: 'gate/app', tags: { tag: 'v0' } },
    });
    await given.store.schedules.remove(schedule);
    expect(await given.store.transfers.find(id)).toMatchObject({ scheduleName: null });
    expect(await found({ q: 'nightly_' })).toEqual([]);
  });

  it('is one of its last ten runs, with how it ended', async () => {
    const [one, other, never] = [
      await scheduled('one'),
      await scheduled('other'),
      await scheduled('never'),
    ];
    const outcomes: Made[] = [
      { jobs: ['pushed'] },
      { jobs: ['refused'] },
      { jobs: ['refused', 'pushed'] },
      { jobs: ['refused', 'failed'] },
      { jobs: ['cancelled'] },
      { selections: ['queued'] },
    ];
    for (const [n, outcome] of outcomes.entries())
      await made({ schedule: one, createdAt: `2026-02-0${n + 1}`, ...outcome });
    for (let n = 10; n < 22; n += 1)
      await made({ schedule: other, createdAt: `2026-01-${n}`, jobs: ['pushed'] });
    const runs = await given.store.schedules.recentRuns([one, other, never, 'no-id']);
    expect(runs.get(one)?.map(({ status, blocked }) => [status, blocked])).toEqual([
      ['running', false],
      ['cancelled', false],
      ['failed', false],
      ['partly_failed', true],
      ['failed', true],
      ['done', false],
    ]);
    expect(runs.get(other)?.map(({ at }) => at.toISOString().slice(8, 10))).toEqual([
      '21',
      '20',
      '19',
      '18',
      '17',
      '16',
      '15',
      '14',
      '13',
      '12',
    ]);
    expect([...runs.keys()].sort()).toEqual([one, other].sort());
  });
});

describe('the list of schedules', () => {
  it('is searched by a part of the name, in any case, wildcards as themselves', async () => {
    for (const name of ['Search nightly_1', 'Search weekly', 'other']) await scheduled(name);
    const names = async (q: string) =>
      (await given.store.schedules.list({ q })).items.map(({ name }) => name).sort();
    expect(await names('search')).toEqual(['Search nightly_1', 'Search weekly']);
    expect(await names('LY_')).toEqual(['Search nightly_1']);
    expect(await names('%')).toEqual([]);
  });
});

describe('the order', () => {
  async function listed(sort: TransferSort): Promise<string[]> {
    const transfers = await everyItem((cursor) =>
      given.store.transfers.list({ sort, limit: 2, cursor: cursor ?? undefined }),
    );
    return transfers.map(({ id }) => id);
  }

  it.each<[TransferSort, string]>([
    ['-created_at', 'e d c b a'],
    ['created_at', 'a b c d e'],
    ['status', 'e b d c a'],
    ['-status', 'a d c e b'],
    ['owner', 'd b a e c'],
    ['-owner', 'e c d b a'],
  ])(
    'by %s is kept across pages: each transfer once, and equal ones newest first',
    async (sort, order) => {
      const day = (n: number) => ({ createdAt: `2026-01-0${n}` });
      const names = new Map([
        [await made({ ...day(1), jobs: ['pulling'] }), 'a'],
        [await made({ ...day(2), jobs: ['pushed'] }), 'b'],
        [await made({ ...day(3), owner: given.bob, jobs: ['failed'] }), 'c'],
        [await made({ ...day(4), jobs: ['failed'] }), 'd'],
        [await made({ ...day(5), owner: given.bob, jobs: ['pushed'] }), 'e'],
      ]);
      expect((await listed(sort)).map((id) => names.get(id)).join(' ')).toBe(order);
    },
  );

  it('takes no cursor of another order, and none that it did not issue', async () => {
    await made({});
    await made({});
    const { nextCursor } = await given.store.transfers.list({ sort: 'owner', limit: 1 });
    for (const cursor of [nextCursor ?? '', 'x'])
      for (const sort of TRANSFER_SORTS.filter((each) => each !== 'owner'))
        await expect(given.store.transfers.list({ sort, cursor })).rejects.toMatchObject({
          code: 'CURSOR_INVALID',
        });
  });

  it('counts the jobs of the page alone', async () => {
    for (let n = 0; n < 3; n += 1) await made({ jobs: ['pushed'] });
    await given.sql.query('ANALYZE');
    const first = await given.store.transfers.list({ sort: 'owner', limit: 1 });
    expect([first.items.length, first.total]).toEqual([1, 3]);
    expect(first.items[0]?.counts).toEqual({ pushed: 1 });
  });
});
