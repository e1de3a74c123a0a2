import { randomUUID } from 'node:crypto';
import {
  advance,
  requestPush,
  type StagingJob,
  type Vulnerability,
  type VulnResult,
} from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, everyItem, type TestDatabase } from '@portcullis/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store, type User } from '../index.ts';

let database: TestDatabase;
let sql: pg.Client;
let store: Store;
let owner: User;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
});

afterAll(async () => {
  await store.close();
  await sql.end();
  await database.stop();
});

beforeEach(async () => {
  await sql.query('DELETE FROM users');
  owner = await store.users.insert({ username: 'ada', passwordHash: null });
});

const SOURCE = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return Number(rows[0]?.count);
}

function insert(more: Partial<Parameters<Store['jobs']['insert']>[0]> = {}): Promise<StagingJob> {
  const image = { image: 'library/alpine', tag: '3.20', source: SOURCE };
  return store.jobs.insert({ ownerId: owner.id, ...image, ...more });
}

async function begun(id: string, stage: 'pull' | 'scan' | 'push' = 'pull'): Promise<StagingJob> {
  const job = await store.jobs.begin(id, stage, 'w1');
  if (!job) throw new Error(`${id} did not begin`);
  return job;
}

const PULLED = {
  kind: 'pulled',
  sightedAt: new Date(0),
  digest: `sha256:${'a'.repeat(64)}`,
  mediaType: 'm',
  size: 5_000_000_000,
} as const;
const FINDING: Vulnerability = {
  id: 'CVE-2026-1',
  severity: 'HIGH',
  title: null,
  cvssScore: 7.5,
  cvssVector: null,
  cvssSource: null,
  primaryUrl: null,
  publishedAt: null,
  packages: [],
};
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);
const COUNTS = { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
const RESULT: VulnResult = {
  coverage: 'full',
  notes: [],
  os: null,
  targets: [],
  vulnerabilities: [FINDING],
  scanner: { name: 'trivy', version: '1', dbUpdatedAt: null },
  enabled: true,
  blocked: false,
  severities: ['CRITICAL'],
  counts: COUNTS,
  fixable: COUNTS,
  total: 1,
};

function push(id = randomUUID()): StagingJob['pushes'][number] {
  return {
    id,
    status: 'queued',
    kind: 'local',
    registryId: null,
    host: 'local',
    repository: 'team/alpine',
    tag: '3.20',
    digest: null,
    bytesDone: 0,
    bytesTotal: 0,
    bytesMounted: 0,
    error: null,
    bypass: { allowed: true, reason: null },
    requestedById: owner.id,
    requestedBy: 'ada',
    createdAt: new Date('2026-01-02T03:04:05.006Z'),
    finishedAt: null,
  };
}

it.each([true, false, 'required'] as const)(
  'the choice of referrers %j is read back as it was stored',
  async (withReferrers) => {
    const { id } = await insert({ withReferrers });
    expect((await store.jobs.get(id)).withReferrers).toBe(withReferrers);
    expect((await begun(id)).withReferrers).toBe(withReferrers);
  },
);

describe('a job row', () => {
  it('is returned as written, with dates, sizes over 2^32, findings and pushes', async () => {
    const { id } = await insert({ platforms: ['linux/amd64'], pushes: [push()] });
    const job = await begun(id);
    const written = {
      ...advance(job, PULLED, new Date()),
      vulnResult: RESULT,
      verdict: 'findings' as const,
    };
    expect(await store.jobs.save(written, job.fence)).toBe(true);
    expect(await store.jobs.get(id)).toEqual(written);
  });

  it('keeps its findings when a later write does not change them, and loses them on request', async () => {
    const { id } = await insert();
    const job = await begun(id);
    await store.jobs.save({ ...advance(job, PULLED, new Date()), vulnResult: RESULT }, job.fence);
    const scanning = await begun(id, 'scan');
    await store.jobs.save(advance(scanning, { kind: 'handed_back' }, new Date()), scanning.fence);
    expect((await store.jobs.get(id)).vulnResult).toEqual(RESULT);
    await store.jobs.update(id, (stored) => ({ ...stored, vulnResult: null }));
    expect((await store.jobs.get(id)).vulnResult).toBeNull();
  });

  it('is unknown by an invalid or unknown id', async () => {
    expect(await store.jobs.find('../etc')).toBeNull();
    await expect(store.jobs.get(randomUUID())).rejects.toMatchObject({
      kind: 'not_found',
      code: 'JOB_UNKNOWN',
    });
    expect(await store.jobs.remove('nonsense')).toBe(false);
    expect(await store.jobs.begin('nonsense', 'pull', 'w')).toBeNull();
  });

  it('requires an owner', async () => {
    await expect(insert({ ownerId: randomUUID() })).rejects.toMatchObject({ code: 'USER_UNKNOWN' });
  });
});

describe('the fence', () => {
  it('increases when a stage begins, and is assigned to one worker of many', async () => {
    const { id, fence } = await insert();
    const tries = await Promise.all(
      ['a', 'b', 'c', 'd'].map((worker) => store.jobs.begin(id, 'pull', worker)),
    );
    const winners = tries.filter((job) => job !== null);
    expect(winners).toHaveLength(1);
    expect(winners[0]).toMatchObject({ fence: fence + 1, status: 'pulling', attempts: 1 });
  });

  it('prevents a stage for a job that is at another stage, settled, or removed', async () => {
    const { id } = await insert();
    expect(await store.jobs.begin(id, 'scan', 'w')).toBeNull();
    await store.jobs.requestCancel(id);
    expect(await store.jobs.begin(id, 'pull', 'w')).toBeNull();
    await store.jobs.remove(id);
    expect(await store.jobs.begin(id, 'pull', 'w')).toBeNull();
  });

  it('a worker whose lease ended loses the row to the next one, and its writes are refused', async () => {
    const { id } = await insert();
    const first = await begun(id);
    await sql.query(
      `UPDATE staging_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    const second = await store.jobs.begin(id, 'pull', 'w2');
    expect(second).toMatchObject({ fence: first.fence + 1, attempts: 2 });
    expect(await store.jobs.save(advance(first, PULLED, new Date()), first.fence)).toBe(false);
    expect(await store.jobs.saveProgress(id, first.fence, first.progress)).toBe(false);
    expect(await store.jobs.renewLease(id, first.fence)).toEqual({
      held: false,
      cancelRequested: false,
    });
    expect(await store.jobs.get(id)).toEqual(second);
  });

  it('a renewed lease is extended; progress renews it, and updates the running push', async () => {
    const { id } = await insert({ pushes: [push()] });
    const job = await begun(id);
    await sql.query(
      `UPDATE staging_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await store.jobs.renewLease(id, job.fence)).toEqual({
      held: true,
      cancelRequested: false,
    });
    expect(await store.jobs.begin(id, 'pull', 'w2')).toBeNull();
    await sql.query(
      `UPDATE staging_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    const counters = { bytesDone: 3, bytesTotal: 9, bytesMounted: 1 };
    expect(
      await store.jobs.saveProgress(id, job.fence, { ...job.progress, bytesDone: 3 }, counters),
    ).toBe(true);
    expect(await store.jobs.begin(id, 'pull', 'w2')).toBeNull();
    const stored = await store.jobs.get(id);
    expect(stored.progress.bytesDone).toBe(3);
    expect(stored.pushes[0]).toEqual({ ...job.pushes[0], ...counters });
  });

  it('an action that changes the row fences out its worker', async () => {
    const { id } = await insert();
    const job = await begun(id);
    const ended = await store.jobs.update(id, (stored) =>
      advance(stored, { kind: 'cancelled' }, new Date()),
    );
    expect(ended).toMatchObject({ status: 'cancelled', fence: job.fence + 1 });
    expect(await store.jobs.save(advance(job, PULLED, new Date()), job.fence)).toBe(false);
  });

  it('concurrent actions are serialized', async () => {
    const { id } = await insert();
    const job = await begun(id);
    await store.jobs.save({ ...advance(job, PULLED, new Date()), status: 'staged' }, job.fence);
    await Promise.all(
      [1, 2, 3].map(() =>
        store.jobs.update(id, (stored) => requestPush(stored, push(), new Date())),
      ),
    );
    expect((await store.jobs.get(id)).pushes).toHaveLength(3);
  });
});

describe('cancel', () => {
  it('ends a queued job at once', async () => {
    const { id } = await insert();
    expect((await store.jobs.requestCancel(id)).status).toBe('cancelled');
  });

  it('notifies the worker of a running one, and is kept by the outcome that it writes meanwhile', async () => {
    const { id } = await insert();
    const job = await begun(id);
    expect(await store.jobs.requestCancel(id)).toMatchObject({
      status: 'pulling',
      cancelRequested: true,
    });
    expect(await store.jobs.renewLease(id, job.fence)).toEqual({
      held: true,
      cancelRequested: true,
    });
    await store.jobs.save(advance(job, PULLED, new Date()), job.fence);
    expect(await store.jobs.get(id)).toMatchObject({
      status: 'scan_queued',
      cancelRequested: true,
    });
    const scanning = await begun(id, 'scan');
    expect(scanning.cancelRequested).toBe(true);
    await store.jobs.save(advance(scanning, { kind: 'cancelled' }, new Date()), scanning.fence);
    expect(await store.jobs.get(id)).toMatchObject({ status: 'cancelled', cancelRequested: false });
  });

  it('does not change a settled job', async () => {
    const { id } = await insert();
    const ended = await store.jobs.requestCancel(id);
    expect(await store.jobs.requestCancel(id)).toEqual(ended);
  });
});

describe('the sweeper', () => {
  it('gets rows with an ended lease and queued rows not touched for long, each for one caller', async () => {
    const waiting = await insert();
    const lost = await insert();
    const job = await begun(lost.id);
    const settled = await insert();
    await store.jobs.requestCancel(settled.id);
    expect(await store.jobs.stale({ olderThanMs: 60_000 })).toEqual([]);

    await sql.query(
      `UPDATE staging_jobs SET lease_until = now() - interval '1 ms'  WHERE id = $1`,
      [lost.id],
    );
    await sql.query(
      `UPDATE staging_jobs SET updated_at = now() - interval '2 minutes' WHERE id = $1`,
      [waiting.id],
    );
    const swept = await Promise.all([1, 2, 3].map(() => store.jobs.stale({ olderThanMs: 60_000 })));
    const refs = swept.flat().sort((a, b) => a.status.localeCompare(b.status));
    expect(refs).toEqual([
      { id: waiting.id, status: 'pull_queued', ownerId: owner.id, fence: 0, storageId: null },
      { id: lost.id, status: 'pulling', ownerId: owner.id, fence: job.fence, storageId: null },
    ]);
  });

  it('gets a row again when its next worker dies, too', async () => {
    const { id } = await insert();
    for (const worker of ['w1', 'w2', 'w3']) {
      await store.jobs.begin(id, 'pull', worker);
      await sql.query(
        `UPDATE staging_jobs SET lease_until = now() - interval '1 ms'  WHERE id = $1`,
        [id],
      );
      expect(await store.jobs.stale({ olderThanMs: 60_000 })).toHaveLength(1);
    }
  });
});

it('waiting jobs are counted by stage and fault, with the time since they were queued for the stage', async () => {
  const job = await begun((await insert()).id);
  const long = { ...job, timeline: job.timeline.map((entry) => ({ ...entry, at: AN_HOUR_AGO })) };
  const error = { code: 'DISK_RESERVE', message: 'too little', side: null, retryable: true };
  const outcome = { kind: 'put_off', error, seconds: 60, uncounted: true } as const;
  const save = (next: StagingJob) => store.jobs.save(next, job.fence);
  expect(await save(advance(long, outcome, new Date()))).toBe(true);
  const waiting = async () =>
    (await store.jobs.waits()).filter(({ code }) => code === 'DISK_RESERVE');
  const [wait] = await waiting();
  expect(wait).toMatchObject({ stage: 'pull', side: null, count: 1 });
  expect(wait?.oldestMs).toBeGreaterThanOrEqual(3_600_000);
  expect(await save(advance(long, { kind: 'cancelled' }, new Date()))).toBe(true);
  expect(await waiting()).toEqual([]);
});

describe('the list', () => {
  it('is newest first, in pages without gaps or duplicates, with a count', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push((await insert({ tag: `t${i}` })).id);
    // The id decides between equal times.
    await sql.query(`UPDATE staging_jobs SET created_at = '2026-01-01' WHERE id = ANY($1)`, [
      ids.slice(0, 3),
    ]);
    const listed = await everyItem(async (cursor) => {
      const page = await store.jobs.list({ ownerId: owner.id, limit: 2, cursor });
      expect(page.total).toBe(7);
      return page;
    });
    const seen = listed.map(({ id }) => id);
    expect(new Set(seen).size).toBe(7);
    expect(seen.slice(0, 4)).toEqual(ids.slice(3).reverse());
  });

  it('filters by owner, name, status and text; wildcards are literal', async () => {
    const other = await store.users.insert({ username: 'Bob', passwordHash: null });
    await insert({ tag: 'v1_0' });
    await insert({ tag: 'v1x0', ownerId: other.id });
    const { id } = await insert({ image: 'acme/API' });
    await store.jobs.requestCancel(id);
    const total = async (filter: Parameters<Store['jobs']['list']>[0]) =>
      (await store.jobs.list(filter)).total;
    expect(await total({})).toBe(3);
    expect(await total({ ownerId: other.id })).toBe(1);
    expect(await total({ ownerName: 'BOB' })).toBe(1);
    expect(await total({ ownerId: 'nobody' })).toBe(0);
    expect(await total({ status: 'cancelled' })).toBe(1);
    expect(await total({ status: ['cancelled', 'pull_queued'] })).toBe(3);
    expect(await total({ q: 'v1_0' })).toBe(1);
    expect(await total({ q: 'acme/api' })).toBe(1);
    expect(await total({ q: '%' })).toBe(0);
    expect(await store.jobs.countByStatus()).toEqual({ pull_queued: 2, cancelled: 1 });
    expect(await store.jobs.owners([id, randomUUID(), 'no id'])).toEqual(new Map([[id, owner.id]]));
  });

  it('finds jobs by the registry at either end, as the page calls it', async () => {
    const saved = await store.registries.insert({
      ...{ name: 'Vendor store', host: 'vendor.example:5000', useTls: false },
    });
    const at = (kind: 'registry' | 'host' | 'dockerhub', host: string, registryId: string | null) =>
      ({ kind, host, registryId }) as const;
    await insert({ tag: 'from', source: at('registry', saved.host, saved.id) });
    await insert({ tag: 'hub', source: at('dockerhub', 'registry-1.docker.io', null) });
    await insert({ tag: 'host', source: at('host', 'quay.example', null) });
    const { id } = await insert({ tag: 'to', source: at('host', 'other.example', null) });
    await sql.query('UPDATE staging_jobs SET pushes = $1 WHERE id = $2', [
      JSON.stringify([{ registryId: saved.id, repository: 'team/app', tag: '1' }]),
      id,
    ]);
    const tags = async (q: string) =>
      (await store.jobs.list({ q })).items.map(({ tag }) => tag).sort();
    expect(await tags('vendor STORE')).toEqual(['from', 'to']);
    expect(await tags('vendor from')).toEqual(['from']);
    expect(await tags('Docker Hub')).toEqual(['hub']);
    expect(await tags('quay.example')).toEqual(['host']);
    expect(await store.jobs.matchingIds({ q: 'vendor' }, 10)).toHaveLength(2);
    expect(await tags('vendor%')).toEqual([]);
  });

  it.each([
    ['nginx:1.27', 1],
    ['library/nginx:1.2', 1],
    ['docker.io/library/nginx:1.27', 1],
    ['docker://docker.io/library/nginx', 1],
    ['nginx 1.27', 1],
    ['nginx:1.28', 0],
    ['nginx alpine', 0],
    ['registry.example/shop/web:2', 1],
    ['registry.example/shop/web:3', 0],
  ])('finds an image by what people paste: %s', async (q, count) => {
    const pushes = [{ ...push(), repository: 'shop/web', tag: '2' }];
    await insert({ image: 'library/nginx', tag: '1.27', pushes });
    expect(await store.jobs.list({ q })).toMatchObject({ total: count });
  });

  it('has no findings', async () => {
    const { id } = await insert();
    const job = await begun(id);
    await store.jobs.save({ ...advance(job, PULLED, new Date()), vulnResult: RESULT }, job.fence);
    const [item] = (await store.jobs.list({})).items;
    expect(item?.vulnResult?.total).toBe(1);
    expect(item?.vulnResult).not.toHaveProperty('vulnerabilities');
    expect(item).not.toHaveProperty('findings');
  });

  it('refuses a cursor that it did not issue', async () => {
    await expect(store.jobs.list({ cursor: 'x' })).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
  });
});

describe('credentials of ad-hoc hosts', () => {
  it('are encrypted in the table, decrypted for the worker, and removed with the job', async () => {
    const credentials = { username: 'u', password: 'hunter2' };
    const { id } = await insert({ sourceCredentials: credentials });
    await store.jobs.setPushCredentials(id, 'p1', { username: 'v', password: 'hunter3' });
    expect(await store.jobs.sourceCredentials(id)).toEqual(credentials);
    expect((await store.jobs.pushCredentials(id, 'p1'))?.password).toBe('hunter3');
    expect(await store.jobs.pushCredentials(id, 'p2')).toBeNull();
    const dump = await sql.query(
      'SELECT j::text AS job, c::text AS credential FROM staging_jobs j, job_credentials c',
    );
    expect(JSON.stringify(dump.rows)).not.toContain('hunter');
    await store.jobs.setSourceCredentials(id, null);
    expect(await store.jobs.sourceCredentials(id)).toBeNull();
    await store.jobs.remove(id);
    expect((await sql.query('SELECT 1 FROM job_credentials')).rowCount).toBe(0);
  });
});

describe('an idempotency key', () => {
  const key = () => ({ key: 'k', userId: owner.id, bodyHash: 'h' });

  it('creates once, also for requests that arrive together', async () => {
    let created = 0;
    const create = async () => [`${++created}`];
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => store.jobs.idempotency(key(), create)),
    );
    expect(created).toBe(1);
    expect(answers.map(({ ids }) => ids)).toEqual([['1'], ['1'], ['1'], ['1']]);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it('refuses another body, and forgets a failed request', async () => {
    const failing = async () => {
      throw new Error('refused');
    };
    await expect(store.jobs.idempotency(key(), failing)).rejects.toThrow('refused');
    expect(await store.jobs.idempotency(key(), async () => ['1'])).toEqual({
      ids: ['1'],
      replayed: false,
    });
    await expect(
      store.jobs.idempotency({ ...key(), bodyHash: 'other' }, async () => ['2']),
    ).rejects.toMatchObject({ kind: 'conflict', code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('F4: leaves no row when anything after the row fails', async () => {
    const rows = async () => (await sql.query('SELECT 1 FROM staging_jobs')).rowCount;
    const ordered = { ownerId: owner.id, image: 'a/b', tag: '1', source: SOURCE };
    const failing = store.jobs.idempotency(key(), async ({ jobs }) => {
      await jobs.insert(ordered);
      throw new Error('the process ended here');
    });
    await expect(failing).rejects.toThrow('the process ended here');
    expect(await rows()).toBe(0);
    const { ids } = await store.jobs.idempotency(key(), async ({ jobs }) => [
      (await jobs.insert(ordered)).id,
    ]);
    expect(await store.jobs.find(ids[0] ?? '')).toMatchObject({ image: 'a/b' });
    expect(await rows()).toBe(1);
  });

  it('F4: a request with the same key waits for the first one, and gets its response', async () => {
    const entered = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const first = store.jobs.idempotency(key(), async () => {
      entered.resolve();
      await finish.promise;
      return ['first'];
    });
    await entered.promise;
    const second = store.jobs.idempotency(key(), async () => ['second']);
    await expect.poll(() => waitingForLocks()).toBe(1);
    finish.resolve();
    expect(await first).toEqual({ ids: ['first'], replayed: false });
    expect(await second).toEqual({ ids: ['first'], replayed: true });
  });

  it('F4: a request that waits for longer than a few seconds gets a conflict, and the first one continues', async () => {
    const finish = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const first = store.jobs.idempotency(key(), async () => {
      entered.resolve();
      await finish.promise;
      return ['first'];
    });
    await entered.promise;
    await expect(store.jobs.idempotency(key(), async () => ['second'])).rejects.toMatchObject({
      kind: 'conflict',
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
    finish.resolve();
    expect((await first).replayed).toBe(false);
  });

  it('is scoped to an account', async () => {
    const other = await store.users.insert({ username: 'bob', passwordHash: null });
    await store.jobs.idempotency(key(), async () => ['1']);
    expect(
      (await store.jobs.idempotency({ ...key(), userId: other.id }, async () => ['2'])).ids,
    ).toEqual(['2']);
  });
});
