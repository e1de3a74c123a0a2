/** The audit log over HTTP: archived events and those still in the stream, as one list. */
import { randomUUID } from 'node:crypto';
import { AuditEvent } from '@portcullis/contract';
import { OCI_INDEX, OCI_MANIFEST } from '@portcullis/oci';
import { buildIndex, json, pushImage, scratchImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Client, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('admin', { isAdmin: true });
  await api.account('ann');
  admin = await api.as('admin');
  ann = await api.as('ann');
});
afterAll(() => api?.stop());

async function list(query = ''): Promise<AuditEvent[]> {
  await published(api, 1);
  const response = await admin.get(`/api/system/audit${query}`);
  expect(response.status).toBe(200);
  return z.array(AuditEvent).parse(await response.json());
}

async function login(username: string, password: string): Promise<number> {
  const body = JSON.stringify({ username, password });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${api.url}/api/auth/login`, { method: 'POST', headers, body })).status;
}

/** Archives events as a notifier does. */
async function archive(): Promise<void> {
  await api.store.audit.insert(await published(api, 10_000));
}

it('logins and failed logins are in the audit log at once, even without a notifier', async () => {
  expect(await login('ann', 'wrong')).toBe(401);
  const [bad] = await list('?event=auth.login&q=LOGIN_FAILED');
  expect(bad).toMatchObject({ outcome: 'denied', actor: { auth: 'none' }, status: 401 });
  const [good] = await list('?event=auth.login&actor=ann&q=success');
  expect(good).toMatchObject({ outcome: 'success', actor: { name: 'ann' } });
});

it('every denial is in the audit log, also of a read', async () => {
  await ann.get('/api/system/audit');
  await ann.get('/api/system/queues');
  const denied = await list('?actor=ann&event=request.denied');
  expect(denied.map(({ action, status }) => [action, status])).toEqual([
    ['GET /system/queues', 403],
    ['GET /system/audit', 403],
  ]);
  expect(await list('?actor=ann&q=audit+ADMIN_ONLY')).toHaveLength(1);
});

it('a changed setting and a denied push on /v2 are in the audit log', async () => {
  await admin.put('/api/network/syslog', { syslog_port: 1514 });
  const basic = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
  const url = `${api.url}/v2/secret/app/blobs/uploads/`;
  expect((await fetch(url, { method: 'POST', headers: { authorization: basic } })).status).toBe(
    403,
  );
  expect(await list('?event=network.syslog')).toMatchObject([{ actor: { name: 'admin' } }]);
  expect(await list('?q=secret/app')).toMatchObject([{ event: 'image.push', outcome: 'denied' }]);
});

it('a wrong password on /v2 is a failed login with the attempted username', async () => {
  const basic = `Basic ${Buffer.from('mallory:guess').toString('base64')}`;
  const tried = await fetch(`${api.url}/v2/token`, { headers: { authorization: basic } });
  expect(tried.status).toBe(401);
  await fetch(`${api.url}/v2/`, { headers: { authorization: 'Bearer old' } });
  await fetch(`${api.url}/v2/`);
  const found = await list('?event=auth.login&actor=mallory');
  expect(found).toMatchObject([
    { outcome: 'denied', actor: { id: null, auth: 'none' }, path: '/v2/token' },
  ]);
});

it('a manifest of an index is recorded once, by any replica, even after the index was deleted', async () => {
  const image = await scratchImage();
  const index = buildIndex([image]);
  await pushImage(api.registry.url, 'team/multi', '1', index);
  await api.grant((await api.store.users.findByUsername('ann'))?.id ?? '', 'team', {
    canPull: true,
  });
  const other = await startApi({}, api);
  const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
  const headers = { authorization, accept: `${OCI_INDEX}, ${OCI_MANIFEST}` };
  const read = async ({ url }: TestApi, reference: string) => {
    const answer = await fetch(`${url}/v2/team/multi/manifests/${reference}`, { headers });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  };
  await read(api, '1');
  await read(other, image.digest);
  await read(api, image.digest).finally(other.stop);
  const found = await list('?event=image.pull');
  expect(found.map(({ resource }) => resource?.id)).toEqual([image.digest, index.digest]);
});

it('an event is listed once before, during and after its archiving', async () => {
  const before = await list('?limit=200');
  await archive();
  await ann.get('/api/system/processes');
  const after = await list('?limit=200');
  expect(after.slice(1)).toEqual(before);
  expect(after[0]).toMatchObject({ action: 'GET /system/processes', outcome: 'denied' });
});

it('pages cover the archive and the stream, newest first, each event once', async () => {
  const all = await list('?limit=200');
  const seen: AuditEvent[] = [];
  let next: string | null = '/api/system/audit?limit=2';
  while (next) {
    const response: Response = await admin.get(next);
    seen.push(...z.array(AuditEvent).parse(await json(response)));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  }
  expect(seen).toEqual(all);
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
});

it('new events are found by a request for those since the last one', async () => {
  const [newest] = await list('?limit=1');
  await ann.get('/api/network/config');
  const since = await list(`?since=${newest?.at}`);
  expect(since.map(({ action }) => action)).toContain('GET /network/config');
  expect(since.length).toBeLessThanOrEqual(2);
  const until = await list(`?until=${encodeURIComponent('2001-01-01T00:00:00+02:00')}`);
  expect(until).toEqual([]);
});

it('the export has every line once, and is recorded itself', async () => {
  const at = (i: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, i)).toISOString();
  const [like] = await list('?limit=1');
  if (!like) throw new Error('the log is empty');
  const old = Array.from({ length: 1_700 }, (_, i) => ({
    ...like,
    id: randomUUID(),
    at: at(i),
    event: 'old',
  }));
  await api.store.audit.insert(old);
  const response = await admin.get('/api/system/audit/export?event=old');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="audit-.*\.jsonl"$/,
  );
  const lines = (await response.text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(old.map(({ id }) => id).reverse());
  expect(await list('?event=audit.export')).toMatchObject([
    { detail: { filter: { event: 'old' } } },
  ]);
});

it.each(['?limit=0', '?since=yesterday', '?cursor=x', '?color=red', '?q='])(
  '%s is refused',
  async (query) => {
    expect((await admin.get(`/api/system/audit${query}`)).status).toBe(422);
  },
);
