/** Server-sent events of transfers over REST. */
import { TRANSFER_EVENTS } from '@portcullis/contract';
import { publishProgress } from '@portcullis/events';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from './api.fixture.ts';

let api: TestApi;
let ada: Client;
let bob: Client;
let saved: string;
let stop: AbortController;

beforeAll(async () => {
  api = await startApi();
  for (const name of ['ada', 'bob']) {
    const id = await api.account(name);
    await api.grant(id, 'team', { canPull: true, canPush: true, canPullExternal: true });
  }
  [ada, bob] = [await api.as('ada'), await api.as('bob')];
  const host = 'registry.example';
  saved = (await api.store.registries.insert({ name: 'outside', host, useTls: true })).id;
});
afterEach(() => stop?.abort());
afterAll(() => api?.stop());

async function submitted(client: Client): Promise<{ transfer_id: string; job_ids: string[] }> {
  const images = [{ repository: 'lib/app', tag: '1' }];
  const body = { images, source_registry_id: saved, dest_folder: 'team' };
  const response = await client.post('/api/transfer', body);
  expect(response.status).toBe(202);
  return response.json();
}

/** Events before the first one that was ever sent are none: the stream begins with all of them. */
const FIRST = '0-1';

async function eventsOf(client: Client, last = FIRST) {
  stop = new AbortController();
  const headers = { authorization: `Bearer ${client.token}`, 'last-event-id': last };
  const response = await fetch(`${api.url}/api/transfer/events`, { headers, signal: stop.signal });
  const events = readEvents(response);
  return async () => (await events.next()).value;
}

async function* readEvents(response: Response) {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of events ?? []) {
    expect(event).toBe('transfer');
    yield { id, data: TRANSFER_EVENTS.transfer.parse(JSON.parse(data)) };
  }
}

it('shows transfers of the caller only, and resumes after a lost connection', async () => {
  const next = await eventsOf(ada);
  await submitted(bob);
  const { transfer_id } = await submitted(ada);
  const first = await next();
  expect(first?.data).toMatchObject({
    transfer_id,
    status: 'running',
    counts: { pull_queued: 1 },
    outcomes: { open: 1 },
    owner: 'ada',
  });
  stop.abort();

  expect((await ada.delete(`/api/transfer/jobs/${transfer_id}`)).status).toBe(204);
  const resumed = await eventsOf(ada, first?.id);
  expect((await resumed())?.data).toEqual({ transfer_id, deleted: true });
});

it('shows the counts after a change of a job', async () => {
  const { transfer_id, job_ids } = await submitted(ada);
  const next = await eventsOf(ada);
  const job = await api.store.jobs.update(job_ids[0] ?? '', (row) => ({
    ...row,
    status: 'pushed',
  }));
  await publishProgress(api.redis, { jobId: job.id, ownerId: job.ownerId, kind: 'job', data: {} });
  for (;;) {
    const data = (await next())?.data;
    if (data?.transfer_id !== transfer_id || !('status' in data) || data.status !== 'done')
      continue;
    expect(data.outcomes).toMatchObject({ pushed: 1, open: 0 });
    break;
  }
});
