/** The notifications of accounts, on real services. */

import { randomUUID } from 'node:crypto';
import { publishChange } from '@portcullis/events';
import type { NewNotification } from '@portcullis/store';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi, withinASecond } from '../../api.fixture.ts';

let api: TestApi;
let alice: Client;
let aliceId: string;
let bob: Client;
let bobId: string;
let team: { folderId: string; groupId: string };

beforeAll(async () => {
  api = await startApi();
  [aliceId, bobId] = [await api.account('alice'), await api.account('bob', BYPASS)];
  team = await api.grant(aliceId, 'team', { canPull: true, canPush: true });
  [alice, bob] = [await api.as('alice'), await api.as('bob')];
});
afterAll(() => api?.stop());
beforeEach(() => api.store.notifications.prune(new Date(Date.now() + 60_000), 0));

const BYPASS = { canBypassVulnBlock: true };

function notification(more: Partial<NewNotification> = {}): NewNotification {
  return {
    ...{ userId: aliceId, kind: 'job.blocked', key: randomUUID(), subject: 'nginx:1.27' },
    ...{ target: 'job', targetId: randomUUID(), repository: null, folder: null },
    facts: { code: 'VULN_BLOCKED' },
    at: new Date().toISOString(),
    ...more,
  };
}

const add = (...rows: Partial<NewNotification>[]) =>
  api.store.notifications.insert(rows.map((row) => notification(row)));

async function mayPull(canPull: boolean): Promise<void> {
  const others = { canPush: true, canPullExternal: false, canPushExternal: false };
  await api.store.folders.grant(team.folderId, team.groupId, { canPull, ...others });
  await publishChange(api.redis, 'access');
}

async function listed(client: Client, query = '') {
  const reply = await client.get(`/api/notifications?${query}`);
  expect(reply.status).toBe(200);
  return reply.json();
}

const subjects = async (client: Client) =>
  (await listed(client)).items.map(({ subject }: { subject: string }) => subject);

describe('the list of notifications', () => {
  it('has those of the caller, the newest first, and counts the unread ones', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 8, minute)).toISOString();
    await add({ subject: 'old', at: at(1) }, { subject: 'new', at: at(2) }, { userId: bobId });
    const { unread, items } = await listed(alice);
    expect(unread).toBe(2);
    expect(items.map(({ subject }: { subject: string }) => subject)).toEqual(['new', 'old']);
    expect(items[0]).toMatchObject({
      ...{ kind: 'job.blocked', target: 'job', read_at: null, created_at: at(2) },
      facts: { code: 'VULN_BLOCKED', destination: null, local: null },
    });
  });

  it('has each event once', async () => {
    await add({ key: 'same' });
    await add({ key: 'same' }, { key: 'same', userId: bobId });
    expect(await subjects(alice)).toHaveLength(1);
    expect(await subjects(bob)).toHaveLength(1);
  });

  it('is paged without gaps', async () => {
    await add({ subject: 'a' }, { subject: 'b' }, { subject: 'c' });
    const seen: string[] = [];
    for (let next: string | undefined = '/api/notifications?limit=1'; next !== undefined; ) {
      const reply: Response = await alice.get(next);
      seen.push(...(await json(reply)).items.map((each: { subject: string }) => each.subject));
      next = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    expect(seen.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('hides an image when the right to its folder is removed', async () => {
    const image = { kind: 'image.blocked', target: 'image', targetId: null } as const;
    await add({ ...image, subject: 'team/app', repository: 'team/app' });
    expect(await subjects(alice)).toEqual(['team/app']);
    await mayPull(false);
    await withinASecond(async () => expect(await listed(alice)).toEqual({ unread: 0, items: [] }));
    await mayPull(true);
    await withinASecond(async () => expect(await subjects(alice)).toEqual(['team/app']));
  });

  it('hides requests of waivers from an account that may not review them', async () => {
    const waiting = { kind: 'waiver.waiting', target: 'waiver', targetId: null } as const;
    const of = (userId: string) => [
      { ...waiting, userId, subject: 'CVE-1', folder: null },
      { ...waiting, userId, subject: 'CVE-2', folder: 'team' },
    ];
    await add(...of(aliceId), ...of(bobId));
    expect(await subjects(alice)).toEqual([]);
    expect(await subjects(bob)).toEqual(['CVE-1']);
  });

  it('hides a job of another account', async () => {
    const source = { kind: 'dockerhub', registryId: null, host: 'docker.io' } as const;
    const job = { image: 'nginx', tag: '1', source };
    const own = await api.store.jobs.insert({ ...job, ownerId: aliceId });
    const other = await api.store.jobs.insert({ ...job, ownerId: bobId });
    await add({ subject: 'own', targetId: own.id }, { subject: 'other', targetId: other.id });
    expect(await subjects(alice)).toEqual(['own']);
  });
});

/** What the event stream of the account has sent so far. */
async function heard({ token }: Client, signal: AbortSignal): Promise<() => string> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${api.url}/api/staging/events`, { headers, signal });
  let text = '';
  void (async () => {
    for await (const chunk of reply.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  return () => text;
}

describe('notifications that were read', () => {
  it('are those of the ids, of the caller alone', async () => {
    await add({ subject: 'a' }, { subject: 'b' }, { userId: bobId });
    const ids = [(await listed(alice)).items, (await listed(bob)).items].map(([each]) => each.id);
    expect((await alice.post('/api/notifications/read', { ids })).status).toBe(204);
    expect((await listed(alice)).unread).toBe(1);
    expect((await listed(bob)).unread).toBe(1);
  });

  it('are all without ids', async () => {
    await add({ subject: 'a' }, { subject: 'b' });
    expect((await alice.post('/api/notifications/read', {})).status).toBe(204);
    const { unread, items } = await listed(alice);
    expect(unread).toBe(0);
    expect(items.every((each: { read_at: string | null }) => each.read_at !== null)).toBe(true);
  });

  it('are announced to open pages of the account, and to no other account', async () => {
    const leaving = new AbortController();
    const streams = [await heard(alice, leaving.signal), await heard(bob, leaving.signal)];
    await alice.post('/api/notifications/read', {});
    await bob.post('/api/notifications/read', {});
    for (const text of streams)
      await expect.poll(() => text().match(/event: notifications/g)?.length).toBe(1);
    leaving.abort();
  });
});

describe('the settings of notifications', () => {
  it('are the defaults until the account chooses', async () => {
    const settings = await json(bob.get('/api/notifications/settings'));
    expect(settings).toContainEqual({ kind: 'job.pushed', page: true, mail: null });
    expect(settings).toContainEqual({ kind: 'image.blocked', page: true, mail: true });
    expect(settings).toContainEqual({ kind: 'vulnerability.appeared', page: null, mail: true });
  });

  it('decide what comes to the page and by mail', async () => {
    const chosen = [
      { kind: 'job.pushed', page: false, mail: true },
      { kind: 'image.blocked', page: true, mail: false },
    ];
    const reply = await alice.put('/api/notifications/settings', { settings: chosen });
    expect(reply.status).toBe(200);
    const settings = await reply.json();
    expect(settings).toContainEqual({ kind: 'job.pushed', page: false, mail: null });
    expect(settings).toContainEqual({ kind: 'image.blocked', page: true, mail: false });
    await add(
      { kind: 'job.pushed' },
      { kind: 'job.blocked' },
      { kind: 'job.pushed', userId: bobId },
    );
    expect((await listed(alice)).items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'job.blocked',
    ]);
    expect((await listed(bob)).unread).toBe(1);
    const without = await api.store.notifications.withoutMail('image.blocked', [aliceId, bobId]);
    expect([...without]).toEqual([aliceId]);
  });

  it.each([
    { settings: [] },
    { settings: [{ kind: 'job.other', page: true, mail: true }] },
    { settings: [{ kind: 'job.pushed', page: true }] },
  ])('refuse %o', async (body) => {
    expect((await alice.put('/api/notifications/settings', body)).status).toBe(422);
  });
});

describe('the mails of an account', () => {
  const mail = async () => json(alice.get('/api/notifications/mail'));

  it('have no address until the account has a valid one', async () => {
    expect((await mail()).address).toBe(null);
    await api.store.users.update(aliceId, { email: 'no address' });
    expect((await mail()).address).toBe(null);
    await api.store.users.update(aliceId, { email: 'alice@example.com' });
    expect((await mail()).address).toBe('alice@example.com');
  });

  it('are sent once e-mail is enabled', async () => {
    await api.account('admin', { isAdmin: true });
    const admin = await api.as('admin');
    expect((await mail()).enabled).toBe(false);
    const addresses = { from_address: 'gate@example.com', to_addresses: ['ops@example.com'] };
    const server = { enabled: true, host: 'mail.example.com', ...addresses };
    expect((await admin.put('/api/network/email', server)).status).toBe(200);
    await withinASecond(async () => expect((await mail()).enabled).toBe(true));
    await admin.delete('/api/network/email');
    await withinASecond(async () => expect((await mail()).enabled).toBe(false));
  });
});

it('old notifications are removed, and of each account all but the newest', async () => {
  const old = new Date(Date.now() - 91 * 86_400_000).toISOString();
  await add({ subject: 'old', at: old }, { subject: 'kept' }, { userId: bobId });
  await api.store.notifications.prune(new Date(Date.now() - 90 * 86_400_000), 10);
  expect(await subjects(alice)).toEqual(['kept']);
  await add({ subject: 'newest', at: new Date(Date.now() + 1_000).toISOString() });
  await api.store.notifications.prune(new Date(0), 1);
  expect(await subjects(alice)).toEqual(['newest']);
  expect(await subjects(bob)).toHaveLength(1);
});
