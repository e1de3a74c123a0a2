/** What event streams tell a token of one folder of the jobs and transfers of its account. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { publishProgress } from '@portcullis/events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from './api.fixture.ts';

let api: TestApi;
let ada: string;
let session: Client;
let token: string;

beforeAll(async () => {
  api = await startApi();
  ada = await api.account('ada');
  for (const folder of ['a', 'b', 'copies'])
    await api.grant(ada, folder, { canPull: true, canPush: true, canPullExternal: true });
  session = await api.as('ada');
  token = await tokenOf(['a'], ['pull', 'push', 'transfer']);
});
afterAll(() => api?.stop());

async function tokenOf(folders: string[] | 'all', actions: string[]): Promise<string> {
  const scope = { api: true, registry: true, folders, actions };
  const created = await session.post('/api/auth/tokens', { name: 'ci', scope, expires_in_days: 1 });
  expect(created.status).toBe(201);
  return (await created.json()).token;
}

const LOCAL = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;

async function jobOf(image: string, source = LOCAL): Promise<string> {
  return (await api.store.jobs.insert({ ownerId: ada, image, tag: '1', source })).id;
}

async function transferOf(...repositories: string[]): Promise<string> {
  const images = repositories.map((repository) => ({ repository, tag: '1' }));
  const ends = { source_registry_id: '__local__', dest_folder: 'copies' };
  const submitted = await session.post('/api/transfer', { images, ...ends });
  expect(submitted.status).toBe(202);
  return (await submitted.json()).transfer_id;
}

const tell = (kind: 'job' | 'progress' | 'transfer' | 'notifications', jobId: string, data = {}) =>
  publishProgress(api.redis, { jobId, ownerId: ada, kind, data });

/** What the stream says from its beginning up to the first event with this id. */
async function heard(path: string, last: string, bearer = token): Promise<string> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${bearer}`, 'last-event-id': '0-1' };
  const response = await fetch(`${api.url}/api${path}`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(last)) break;
  }
  stop.abort();
  return text;
}

const counters = (job_id: string) => ({
  job_id,
  progress: {
    ...{ phase: 'pull', bytes_done: 1, bytes_total: 2, blobs_done: 0, blobs_total: 1 },
    ...{ bytes_reused: 0, rate: 1 },
  },
});

it('are the jobs whose images it could pull, with their counters and deletions', async () => {
  const [own, other, outside, last] = await Promise.all([
    jobOf('a/app'),
    jobOf('b/secret'),
    api.store.jobs
      .insert({
        ...{ ownerId: ada, image: 'library/app', tag: '1' },
        source: { kind: 'dockerhub', registryId: null, host: 'hub' },
      })
      .then(({ id }) => id),
    jobOf('a/last'),
  ]);
  for (const id of [own, other, outside]) {
    await tell('job', id);
    await tell('progress', id, counters(id));
  }
  await tell('notifications', '');
  await tell('job', last);
  const text = await heard('/staging/events', last);
  expect(text).toContain('a/app');
  expect(text).toContain(`event: progress\ndata: {"job_id":"${own}"`);
  for (const hidden of [other, outside, 'b/secret', 'library/app', 'notifications'])
    expect(text).not.toContain(hidden);

  const after = await jobOf('a/after');
  for (const id of [own, other]) await api.store.jobs.remove(id);
  for (const id of [own, other, after]) await tell('job', id);
  const later = await heard('/staging/events', after);
  expect(later).toContain(`{"job_id":"${own}","deleted":true}`);
  expect(later).not.toContain(other);
});

it('are all jobs for a session, and for reports of all folders', async () => {
  const [other, last] = [await jobOf('b/secret'), await jobOf('a/last')];
  await tell('job', other);
  await tell('notifications', '');
  await tell('job', last);
  const reports = await tokenOf('all', ['report']);
  for (const bearer of [session.token, reports])
    expect(await heard('/staging/events', last, bearer)).toContain(other);
  const own = await heard('/staging/events', last, session.token);
  expect(own).toContain('event: notifications');
});

it('are the transfers all of whose images it could pull', async () => {
  const own = await transferOf('a/app');
  const [other, mixed] = [await transferOf('b/secret'), await transferOf('a/app', 'b/secret')];
  const ofMixed = await api.store.transfers.jobIds(mixed);
  for (const id of ofMixed) await tell('job', id);
  const last = await transferOf('a/last');
  const text = await heard('/transfer/events', last);
  expect(text).toContain(own);
  for (const hidden of [other, mixed]) expect(text).not.toContain(hidden);
  expect(await heard('/transfer/events', last, session.token)).toContain(mixed);

  for (const id of [own, mixed]) await session.delete(`/api/transfer/jobs/${id}`);
  const after = await transferOf('a/after');
  const later = await heard('/transfer/events', after);
  expect(later).toContain(`{"transfer_id":"${own}","deleted":true}`);
  expect(later).not.toContain(mixed);
});
