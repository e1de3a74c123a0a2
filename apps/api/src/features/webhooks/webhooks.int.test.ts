/** The routes of webhooks; tests/notifier/webhooks.int.test.ts has what a notifier sends. */

import { randomUUID } from 'node:crypto';
import type { StoredWebhook } from '@portcullis/store';
import { json } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Client, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  const id = await api.account('ann');
  await api.grant(id, 'team', { canPush: true });
  await api.grant(id, 'readable', { canPull: true });
  [admin, ann] = await Promise.all([api.as('root'), api.as('ann')]);
});
afterAll(() => api?.stop());
afterEach(async () => {
  for (const { id } of await api.store.webhooks.list()) await api.store.webhooks.remove(id);
});

const SLACK = 'https://1.1.1.1/services/T0/B0/slack-secret';
const PLAIN = 'https://1.1.1.1/hooks/portcullis?token=query-secret';

async function made(body: object = {}) {
  const response = await admin.post('/api/webhooks', { name: 'hook', url: PLAIN, ...body });
  expect(response.status).toBe(201);
  return response.json();
}

async function answer(reply: Promise<Response>) {
  const response = await reply;
  return { status: response.status, body: await response.json() };
}

async function lastEvent(event: string) {
  const found = (await published(api, 50)).find((each) => each.event === event);
  if (!found) throw new Error(`there is no event ${event}`);
  return found;
}

const stored = async (id: string): Promise<StoredWebhook> => {
  const webhook = await api.store.webhooks.find(id);
  if (!webhook) throw new Error('there is no such webhook');
  return webhook;
};

it('an administrator creates one, whose secret and address no later answer shows', async () => {
  const hook = await made({ kinds: ['image.blocked', 'image.blocked'] });
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(hook).toMatchObject({
    url: 'https://1.1.1.1/hooks/portcullis?…',
    kinds: ['image.blocked'],
    enabled: true,
    folder: null,
    last_attempt: null,
  });
  const slack = await made({ url: SLACK, format: 'slack' });
  expect(slack.url).toBe('https://1.1.1.1/…');
  const list = await (await admin.get('/api/webhooks')).text();
  const one = await (await admin.get(`/api/webhooks/${hook.id}`)).text();
  const event = JSON.stringify(await lastEvent('webhook.create'));
  for (const shown of [list, one, event, api.log.join('')])
    expect(shown).not.toMatch(/whsec_|query-secret|slack-secret/);
  expect(await lastEvent('webhook.create')).toMatchObject({
    resource: { kind: 'webhook', id: slack.id, name: 'hook' },
    detail: { format: 'slack', host: 'https://1.1.1.1/…' },
  });
  expect((await stored(hook.id)).url).toBe(PLAIN);
});

it.each([
  ['http://10.1.2.3/hook', 'URL_PRIVATE'],
  ['http://[fd00::1]/hook', 'URL_PRIVATE'],
  ['http://169.254.169.254/latest', 'URL_DENIED'],
])('the address %s is refused at the creation and at a change: %s', async (url, code) => {
  const refused = { code, errors: [{ path: 'url', code }] };
  const created = await answer(admin.post('/api/webhooks', { name: 'hook', url }));
  expect([created.status, created.body]).toMatchObject([422, refused]);
  const { id } = await made();
  const changed = await answer(admin.patch(`/api/webhooks/${id}`, { url }));
  expect([changed.status, changed.body]).toMatchObject([422, refused]);
  expect((await stored(id)).url).toBe(PLAIN);
});

it('a service of this installation is refused although EGRESS_ALLOW names its address', async () => {
  const url = `${api.registry.url}/v2/`;
  const { body } = await answer(admin.post('/api/webhooks', { name: 'hook', url }));
  expect(body).toMatchObject({ errors: [{ path: 'url', code: 'URL_PRIVATE' }] });
});

it.each(['ftp://files.example/', 'https://user:pass@hooks.example/', 'https://hooks.example/#a'])(
  '%s is no address of a webhook',
  async (url) => {
    const { body } = await answer(admin.post('/api/webhooks', { name: 'hook', url }));
    expect(body).toMatchObject({ errors: [{ path: 'url', code: 'URL_INVALID' }] });
  },
);

it('a folder that does not exist is named', async () => {
  const body = { name: 'hook', url: PLAIN, folder: 'nowhere' };
  expect((await answer(admin.post('/api/webhooks', body))).body).toMatchObject({
    errors: [{ path: 'folder', code: 'FOLDER_UNKNOWN', params: { folder: 'nowhere' } }],
  });
});

it('an account sees the webhooks of folders that it may push to, with their host only', async () => {
  const [team, readable, all] = [
    await made({ folder: 'team' }),
    await made({ folder: 'readable' }),
    await made(),
  ];
  const { body: list } = await answer(ann.get('/api/webhooks'));
  expect(list.map(({ id, url }: { id: string; url: string }) => [id, url])).toEqual([
    [team.id, 'https://1.1.1.1/…'],
  ]);
  const test = await answer(admin.post(`/api/webhooks/${team.id}/test`));
  const deliveries = `/api/webhooks/${team.id}/deliveries`;
  expect((await answer(ann.get(deliveries))).body).toMatchObject([{ id: test.body.id }]);
  for (const { id } of [readable, all])
    expect((await ann.get(`/api/webhooks/${id}/deliveries`)).status).toBe(404);
  const denied = await Promise.all([
    ann.patch(`/api/webhooks/${team.id}`, { enabled: false }),
    ann.post(`/api/webhooks/${team.id}/secret`),
    ann.post(`${deliveries}/${test.body.id}/replay`),
    ann.delete(`/api/webhooks/${team.id}`),
  ]);
  expect(denied.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

it('another format needs the address again, because it decides what of it is shown', async () => {
  const { id } = await made({ url: SLACK, format: 'slack' });
  const path = `/api/webhooks/${id}`;
  expect((await answer(admin.patch(path, { format: 'cloudevents' }))).body).toMatchObject({
    errors: [{ path: 'url', code: 'REQUIRED' }],
  });
  const { body } = await answer(admin.patch(path, { format: 'cloudevents', url: PLAIN }));
  expect(body).toMatchObject({ format: 'cloudevents', url: expect.stringContaining('/hooks/') });
});

it('a change records what changed, and never the address', async () => {
  const { id } = await made();
  const url = 'https://1.0.0.1/other-secret';
  await admin.patch(`/api/webhooks/${id}`, { name: 'renamed', url, kinds: ['job.failed'] });
  const { detail, resource } = await lastEvent('webhook.update');
  expect(resource).toMatchObject({ id, name: 'renamed' });
  expect(detail).toMatchObject({
    changed: ['name', 'url', 'kinds'],
    name: { from: 'hook', to: 'renamed' },
    kinds: { from: '', to: 'job.failed' },
    host: { from: 'https://1.1.1.1/…', to: 'https://1.0.0.1/…' },
  });
  expect(JSON.stringify(detail)).not.toContain('secret');
});

it('saving one that is enabled as enabled does not end its failures; enabling it does', async () => {
  const { id } = await made();
  await failOnce(id);
  const path = `/api/webhooks/${id}`;
  const kept = await answer(admin.patch(path, { enabled: true }));
  expect(kept.body).toMatchObject({
    failing_since: expect.any(String),
    last_attempt: { status: 500, code: 'WEBHOOK_REFUSED' },
  });
  await admin.patch(path, { enabled: false });
  expect((await answer(admin.patch(path, { enabled: true }))).body).toMatchObject({
    failing_since: null,
    disabled_reason: null,
  });
});

async function failOnce(id: string): Promise<void> {
  await admin.post(`/api/webhooks/${id}/test`);
  const now = new Date(Date.now() + 1_000);
  const [claimed] = await api.store.webhookDeliveries.claim({ now, except: [] });
  if (!claimed) throw new Error('nothing was claimed');
  const event = sampleEvent({ id: randomUUID() });
  await api.store.webhookDeliveries.settle(claimed, {
    ...{ at: now, status: 500, code: 'WEBHOOK_REFUSED', durationMs: 3 },
    next: { kind: 'again', at: now, failingSince: now, pauseUntil: now, event },
  });
}

it('a rotation shows a new secret once, and keeps the former one for a day', async () => {
  const { id, secret } = await made();
  const { body } = await answer(admin.post(`/api/webhooks/${id}/secret`));
  expect(body.secret).toMatch(/^whsec_/);
  expect(body.secret).not.toBe(secret);
  const left = Date.parse(body.previous_secret_until) - Date.now();
  expect(left / 3_600_000).toBeGreaterThan(23);
  await admin.post(`/api/webhooks/${id}/test`);
  const now = new Date(Date.now() + 1_000);
  const [claimed] = await api.store.webhookDeliveries.claim({ now, except: [] });
  expect(claimed?.webhook.secrets).toEqual([body.secret, secret]);
  const event = await lastEvent('webhook.rotate_secret');
  expect(event).toMatchObject({ resource: { id }, outcome: 'success' });
  expect(JSON.stringify(event)).not.toContain('whsec_');
});

it('a test message is queued for a notifier, in the format of the webhook', async () => {
  const { id } = await made({ url: SLACK, format: 'slack', kinds: ['job.failed'] });
  const { status, body } = await answer(admin.post(`/api/webhooks/${id}/test`));
  expect([status, body]).toMatchObject([
    202,
    { kind: 'webhook.test', state: 'waiting', attempts: 0, status: null },
  ]);
  const detail = await answer(admin.get(`/api/webhooks/${id}/deliveries/${body.id}`));
  expect(JSON.parse(detail.body.body)).toMatchObject({ text: 'Test message' });
  expect(await lastEvent('webhook.test')).toMatchObject({
    resource: { id },
    detail: { delivery_id: body.id, event_id: body.event_id },
  });
});

it('deliveries are paged, newest first, and filtered by state', async () => {
  const { id } = await made();
  for (let n = 0; n < 3; n++) await admin.post(`/api/webhooks/${id}/test`);
  const path = `/api/webhooks/${id}/deliveries`;
  const first = await admin.get(`${path}?limit=2`);
  expect(first.headers.get('x-total-count')).toBe('3');
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const all = [...(await json(first)), ...(await json(admin.get(next)))];
  expect(new Set(all.map((each) => each.id)).size).toBe(3);
  const times = all.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await answer(admin.get(`${path}?state=failed`))).body).toEqual([]);
});

it('a delivery is replayed under the same id; one of another webhook is unknown', async () => {
  const { id } = await made();
  const { body: sent } = await answer(admin.post(`/api/webhooks/${id}/test`));
  await failOnce(id);
  const path = `/api/webhooks/${id}/deliveries/${sent.id}/replay`;
  const { status, body } = await answer(admin.post(path));
  expect([status, body]).toMatchObject([
    202,
    { id: sent.id, event_id: sent.event_id, state: 'waiting', attempts: 0 },
  ]);
  expect(await lastEvent('webhook.replay')).toMatchObject({
    resource: { id, name: 'hook' },
    detail: { delivery_id: sent.id },
  });
  const other = await made();
  const elsewhere = `/api/webhooks/${other.id}/deliveries/${sent.id}/replay`;
  expect((await answer(admin.post(elsewhere))).body.code).toBe('DELIVERY_UNKNOWN');
});

it('a disabled webhook sends no test and replays nothing', async () => {
  const { id } = await made();
  const { body: sent } = await answer(admin.post(`/api/webhooks/${id}/test`));
  await admin.patch(`/api/webhooks/${id}`, { enabled: false });
  for (const path of ['test', `deliveries/${sent.id}/replay`]) {
    const { status, body } = await answer(admin.post(`/api/webhooks/${id}/${path}`));
    expect([status, body.code]).toEqual([409, 'WEBHOOK_DISABLED']);
  }
});

it('a deleted webhook is gone with its deliveries; the event names it', async () => {
  const { id } = await made({ folder: 'team' });
  await admin.post(`/api/webhooks/${id}/test`);
  expect((await admin.delete(`/api/webhooks/${id}`)).status).toBe(204);
  expect((await admin.get(`/api/webhooks/${id}/deliveries`)).status).toBe(404);
  expect((await api.store.webhookDeliveries.list(id, {})).total).toBe(0);
  expect(await lastEvent('webhook.delete')).toMatchObject({
    resource: { kind: 'webhook', id, name: 'hook', folder: 'team' },
  });
});
