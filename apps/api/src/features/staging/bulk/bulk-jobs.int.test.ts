/** `POST /staging/jobs/bulk`: what becomes of each job, for each account, and in the audit log. */
import { randomUUID } from 'node:crypto';
import { json, openSql } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  codeOf,
  published,
  stagedAs,
  startApi,
  type TestApi,
} from '../../../api.fixture.ts';

let api: TestApi;
let root: Client;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  for (const name of ['ada', 'bob']) {
    const id = await api.account(name);
    await api.grant(id, 'team', { canPull: true, canPush: true, canPullExternal: true });
  }
  [root, ada, bob] = [await api.as('root'), await api.as('ada'), await api.as('bob')];
});
afterAll(() => api?.stop());

/** No worker runs: what is requested stays in the queue. */
async function job(client = ada, image = 'lib/app'): Promise<string> {
  const order = { source_registry_host: 'registry.example', image, tag: '1' };
  return (await json(client.post('/api/staging/pull', order))).job_id;
}

async function staged(client = ada, image = 'lib/app'): Promise<string> {
  const id = await job(client, image);
  await api.store.jobs.update(id, stagedAs('clean'));
  return id;
}

const bulk = (client: Client, body: object) => client.post('/api/staging/jobs/bulk', body);
const statusOf = async (id: string) => (await api.store.jobs.find(id))?.status ?? null;

describe('by ids', () => {
  it('cancels what waits, and says why the others stay as they are', async () => {
    const [waiting, settled, others] = [await job(), await staged(), await job(bob)];
    const unknown = randomUUID();
    const ids = [waiting, settled, others, unknown, waiting];
    const result = await json(bulk(ada, { action: 'cancel', ids }));
    expect(result).toMatchObject({ done: 1, refused: 3, failed: 0 });
    expect(result.reasons).toHaveLength(2);
    expect(result.reasons).toContainEqual({ code: 'JOB_SETTLED', count: 1, job_ids: [settled] });
    expect(result.reasons).toContainEqual({
      code: 'JOB_UNKNOWN',
      count: 2,
      job_ids: expect.arrayContaining([others, unknown]),
    });
    expect(await statusOf(waiting)).toBe('cancelled');
    expect(await statusOf(others)).toBe('pull_queued');
  });

  it('asks the worker of a running job to stop it', async () => {
    const id = await job();
    await api.store.jobs.begin(id, 'pull', 'w1');
    expect(await json(bulk(ada, { action: 'cancel', ids: [id] }))).toMatchObject({ done: 1 });
    expect(await api.store.jobs.find(id)).toMatchObject({
      status: 'pulling',
      cancelRequested: true,
    });
  });

  it('retries jobs, with their findings kept', async () => {
    const [cancelled, waiting] = [await job(), await job()];
    await bulk(ada, { action: 'cancel', ids: [cancelled] });
    expect(await json(bulk(ada, { action: 'retry', ids: [cancelled, waiting] }))).toEqual({
      ...{ done: 1, refused: 1, failed: 0 },
      reasons: [{ code: 'JOB_NOT_RETRYABLE', count: 1, job_ids: [waiting] }],
    });
    expect(await statusOf(cancelled)).toBe('pull_queued');
  });

  it('deletes jobs of all accounts for an administrator', async () => {
    const ids = [await job(), await staged(bob)];
    expect(await json(bulk(root, { action: 'delete', ids }))).toEqual({
      ...{ done: 2, refused: 0, failed: 0 },
      reasons: [],
    });
    expect(await api.store.jobs.existing(ids)).toEqual(new Set());
  });

  it('records the request, and each job by its own event', async () => {
    const ids = [await staged(), await staged()];
    await bulk(ada, { action: 'delete', ids: [...ids, randomUUID()] });
    const events = await published(api, 20);
    const whole = events.find(({ event }) => event === 'staging.bulk');
    expect(whole).toMatchObject({
      outcome: 'success',
      actor: { name: 'ada' },
      detail: { action: 'delete', done: 2, refused: 1, failed: 0 },
    });
    const parts = events.filter(({ detail }) => detail.part_of === whole?.id);
    expect(parts.map(({ event, resource }) => [event, resource?.id, resource?.name])).toEqual(
      expect.arrayContaining(ids.map((id) => ['staging.delete', id, 'lib/app:1'])),
    );
    expect(parts).toHaveLength(2);
    expect(parts[0]).toMatchObject({ actor: { name: 'ada' }, outcome: 'success' });
  });
});

describe('by a filter', () => {
  it('is for what the list with the same filter has, for the account that asks', async () => {
    const mine = [await staged(ada, 'lib/mine'), await staged(ada, 'lib/mine')];
    const others = await staged(bob, 'lib/mine');
    const filter = { q: 'lib/mine', status: ['staged'], blocked: false, until: inAMinute() };
    expect(await json(bulk(ada, { action: 'delete', filter }))).toMatchObject({ done: 2 });
    expect(await api.store.jobs.existing([...mine, others])).toEqual(new Set([others]));
    const past = { ...filter, until: '2026-01-01T00:00:00Z' };
    expect(await json(bulk(root, { action: 'delete', filter: past }))).toMatchObject({ done: 0 });
    expect(await json(bulk(root, { action: 'delete', filter }))).toMatchObject({ done: 1 });
  });

  it('takes hundreds, and refuses more than 10,000 without a change', async () => {
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    const insert = (count: number) =>
      sql.query(
        `INSERT INTO staging_jobs (id, owner_id, status, image, tag, source, progress, overrides)
         SELECT gen_random_uuid(), id, 'pull_queued', 'lib/many', n::text,
                '{"kind":"dockerhub","registryId":null,"host":"x"}', '{}',
                '{"vulnScanEnabled":null,"vulnSeverities":null}'
           FROM users, generate_series(1, $1::int) n WHERE username = 'bob'`,
        [count],
      );
    await insert(600);
    const order = { action: 'cancel', filter: { q: 'lib/many' } };
    expect(await json(bulk(bob, order))).toMatchObject({ done: 600, refused: 0 });
    await insert(9_401);
    expect(await codeOf(bulk(bob, order))).toEqual([422, 'SELECTION_TOO_LARGE']);
    const { rows } = await sql.query(
      `SELECT count(*)::int AS count FROM staging_jobs WHERE image = 'lib/many' AND status = 'pull_queued'`,
    );
    expect(rows[0].count).toBe(9_401);
    await sql.end();
  });
});

it.each([
  ['neither ids nor a filter', { action: 'delete' }],
  ['both', { action: 'delete', ids: [randomUUID()], filter: {} }],
  ['no ids', { action: 'delete', ids: [] }],
  ['another action', { action: 'push', filter: {} }],
])('refuses %s', async (_, body) => {
  expect((await bulk(ada, body)).status).toBe(422);
});

const inAMinute = () => new Date(Date.now() + 60_000).toISOString();
