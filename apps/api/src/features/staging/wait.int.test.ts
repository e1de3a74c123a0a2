/** `?wait=` of jobs and transfers: one request in the place of polling. */
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  for (const name of ['ada', 'bob']) {
    const id = await api.account(name);
    await api.grant(id, 'team', { canPull: true, canPush: true, canPullExternal: true });
  }
  [ada, bob] = [await api.as('ada'), await api.as('bob')];
});
afterAll(() => api?.stop());

/** No worker runs: what is requested stays in the queue. */
async function job(client = ada): Promise<string> {
  const order = { source_registry_host: 'registry.example', image: 'lib/app', tag: '1' };
  return (await json(client.post('/api/staging/pull', order))).job_id;
}

const at = (id: string, wait: number | string) => `/api/staging/jobs/${id}?wait=${wait}`;
const answered = async (reply: Promise<Response>) => {
  const response = await reply;
  const { status, code } = await response.json();
  return response.ok ? status : code;
};

describe('GET of a job with wait', () => {
  it('answers when its status changes', async () => {
    const id = await job();
    const waiting = answered(ada.get(at(id, 55)));
    await ada.post(`/api/staging/jobs/${id}/cancel`);
    expect(await waiting).toBe('cancelled');
  });

  it('finds a change that no event told of', async () => {
    const id = await job();
    const waiting = answered(ada.get(at(id, 55)));
    await api.store.jobs.update(id, (row) => ({ ...row, status: 'scanning' }));
    expect(await waiting).toBe('scanning');
  });

  it('answers as it is after the time', async () => {
    expect(await answered(ada.get(at(await job(), 1)))).toBe('pull_queued');
  });

  it('answers a final job at once', async () => {
    const id = await job();
    await ada.post(`/api/staging/jobs/${id}/cancel`);
    expect(await answered(ada.get(at(id, 55)))).toBe('cancelled');
  });

  it('of another account is not found, at once', async () => {
    expect(await answered(bob.get(at(await job(), 55)))).toBe('JOB_UNKNOWN');
  });

  it.each([56, -1, 'long'])('wait=%s is refused and names the field', async (wait) => {
    const reply = await ada.get(at(await job(), wait));
    expect(reply.status).toBe(422);
    expect(JSON.stringify(await reply.json())).toContain('"wait"');
  });

  it('shows nothing to an account that was disabled meanwhile', async () => {
    const id = await api.account('eve');
    await api.grant(id, 'team', { canPullExternal: true });
    const eve = await api.as('eve');
    const waiting = answered(eve.get(at(await job(eve), 55)));
    await api.store.users.update(id, { disabled: true });
    expect(await waiting).toBe('TOKEN_INVALID');
  });

  it('is refused to an account with 64 others open, until one of them ends', async () => {
    const id = await job(bob);
    const waiting = Array.from({ length: 65 }, () => answered(bob.get(at(id, 55))));
    expect(await Promise.race(waiting)).toBe('STREAMS_MANY');
    await bob.post(`/api/staging/jobs/${id}/cancel`);
    expect((await Promise.all(waiting)).filter((said) => said === 'cancelled')).toHaveLength(64);
    expect(await answered(bob.get(at(await job(bob), 1)))).toBe('pull_queued');
  });
});

describe('GET of a transfer with wait', () => {
  it('answers when the transfer is settled, with its jobs', async () => {
    const registry = { name: 'outside', host: 'registry.example', useTls: true };
    const { id } = await api.store.registries.insert(registry);
    const order = { images: [{ repository: 'lib/app', tag: '1' }], source_registry_id: id };
    const sent = await ada.post('/api/transfer', { ...order, dest_folder: 'team' });
    const { transfer_id } = await json(sent);
    const path = `/api/transfer/jobs/${transfer_id}`;
    const waiting = ada.get(`${path}?wait=55&limit=1`);
    await ada.post(`${path}/cancel`);
    expect(await json(waiting)).toMatchObject({
      status: 'cancelled',
      jobs: [{ status: 'cancelled' }],
    });
  });
});
