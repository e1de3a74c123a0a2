/** The notifier as a process: notifications of accounts on the page, and what they want by mail. */
import { randomUUID } from 'node:crypto';
import type { NotificationKind } from '@portcullis/domain';
import { type AuditEvent, listGroups, publish, subscribeProgress } from '@portcullis/events';
import type { User } from '@portcullis/store';
import { openSql, startSmtp } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { end, type Harness, openHarness } from './harness.ts';

let harness: Harness;
let ann: User;
let boss: User;
beforeEach(async () => {
  harness = await openHarness();
  ann = await account('ann');
  boss = await account('boss', { isAdmin: true });
});
afterEach(() => harness[Symbol.asyncDispose]());

const account = (username: string, rights: object = {}) =>
  harness.store.users.insert({
    ...{ username, passwordHash: null, email: `${username}@example.com` },
    ...rights,
  });

const send = (event: Partial<AuditEvent>) =>
  publish(
    harness.redis,
    sampleEvent({ id: randomUUID(), at: new Date().toISOString(), outcome: 'success', ...event }),
  );

const actorOf = ({ id, username: name }: User) => ({ id, name, auth: 'session' as const });

function jobEvent(event: string, name: string, detail: object = {}): Partial<AuditEvent> {
  const resource = { kind: 'staging_job', id: randomUUID(), name };
  return { event, actor: actorOf(ann), resource, detail: { ...detail } };
}

async function notified({ id: userId }: User): Promise<string[]> {
  const reader = { userId, isAdmin: true, folders: 'all', reviews: true } as const;
  const { items } = await harness.store.notifications.list(reader, {});
  return items.map(({ kind, subject }) => `${kind} ${subject}`.trim()).toSorted();
}

/** Events that no notification was made of yet. */
async function unread(): Promise<number | undefined> {
  const group = (await listGroups(harness.redis)).find(({ name }) => name === 'notifications');
  return group && group.pending + (group.lag ?? 0);
}

/** Events that any group has not processed. */
async function unacknowledged(): Promise<number> {
  const groups = await listGroups(harness.redis);
  return groups.reduce((sum, { pending, lag }) => sum + pending + (lag ?? 0), 0);
}

const request = (folder: string | null, requestedById: string) =>
  harness.store.waivers.insertWaiver({
    ...{ vulnerability: 'CVE-2026-1', package: null, packageVersion: null, repository: null },
    ...{ digest: null, folder, status: 'accepted', justification: null, reason: 'none' },
    ...{ ticket: null, vexDocument: null, requestedById },
    expiresAt: new Date(Date.now() + 86_400_000),
  });

it('accounts are notified of their jobs, once, and their open pages hear of it', async () => {
  const leaving = new AbortController();
  const heard: string[] = [];
  const listening = (async () => {
    for await (const event of subscribeProgress(harness.redis, { signal: leaving.signal }))
      heard.push(`${event.kind} ${event.ownerId}`);
  })();
  await harness.start();
  const blocked = {
    id: randomUUID(),
    ...jobEvent('staging.scanned', 'a:1', { verdict: 'blocked' }),
  };
  await send(blocked);
  await send(jobEvent('staging.pulled', 'b:1'));
  await send(jobEvent('staging.pushed', 'b:1'));
  await send(blocked);
  await expect.poll(() => notified(ann)).toEqual(['job.blocked a:1', 'job.pushed b:1']);
  await expect.poll(unread).toBe(0);
  expect(await notified(ann)).toHaveLength(2);
  expect(await notified(boss)).toEqual([]);
  await expect.poll(() => new Set(heard)).toEqual(new Set([`notifications ${ann.id}`]));
  leaving.abort();
  await listening;
});

it('reviewers are notified of requests, and requesters of decisions of others', async () => {
  await harness.store.folders.insertFolder({ name: 'team' });
  const own = await request('team', boss.id);
  const others = await request('team', ann.id);
  await harness.start();
  const waivers = [own, others].map(({ id, vulnerability, folder }) => ({
    ...{ id, vulnerability, folder },
  }));
  await send({ event: 'waiver.waiting', resource: null, detail: { waivers } });
  await expect.poll(() => notified(boss)).toEqual(['waiver.waiting CVE-2026-1']);
  const reader = { userId: boss.id, isAdmin: true, folders: 'all', reviews: true } as const;
  const [waiting] = (await harness.store.notifications.list(reader, {})).items;
  expect(waiting).toMatchObject({ targetId: others.id, facts: { count: 1 } });

  await harness.store.waivers.save({
    ...{ ...others, state: 'rejected' },
    closed: { by: 'boss', at: new Date(), reason: 'There is a fix.' },
  });
  const resource = { kind: 'waiver', id: others.id, name: others.vulnerability };
  await send({ event: 'waiver.rejected', actor: actorOf(boss), resource });
  await expect.poll(() => notified(ann)).toEqual(['waiver.decided CVE-2026-1']);
  const { items } = await harness.store.notifications.list({ ...reader, userId: ann.id }, {});
  expect(items[0]?.facts).toEqual({ decision: 'rejected', by: 'boss', reason: 'There is a fix.' });
});

it('a killed notifier loses nothing and repeats nothing', async () => {
  const first = await harness.start();
  const names = Array.from({ length: 40 }, (_, index) => `image-${index}:1`);
  const sending = (async () => {
    for (const name of names) await send(jobEvent('staging.pushed', name));
  })();
  await expect.poll(async () => (await notified(ann)).length).toBeGreaterThan(3);
  await end(first, 'SIGKILL');
  await sending;
  await harness.start();
  const all = names.map((name) => `job.pushed ${name}`).toSorted();
  await expect.poll(() => notified(ann)).toEqual(all);
  await expect.poll(unread).toBe(0);
  expect(await notified(ann)).toEqual(all);
});

it('the jobs of a transfer notify together, when it has finished', async () => {
  const source = { kind: 'dockerhub', registryId: null, host: 'docker.io' } as const;
  const job = { ownerId: ann.id, image: 'nginx', tag: '1', source, auto: true };
  const order = { source, destination: null, entries: [] };
  const transferId = await newTransfer(order);
  const { id } = await harness.store.jobs.insert({ ...job, transferId });
  await harness.start();
  const pushed = jobEvent('staging.pushed', 'nginx:1', { transfer_id: transferId });
  await send(pushed);
  await expect.poll(unread).toBe(0);
  expect(await notified(ann)).toEqual([]);
  await harness.store.jobs.update(id, (each) => ({ ...each, status: 'pushed' }));
  await send(pushed);
  await expect.poll(() => notified(ann)).toEqual(['transfer.finished']);
});

/** As a request inserts it, without jobs. */
async function newTransfer(order: object): Promise<string> {
  const id = randomUUID();
  const client = await openSql(harness.databaseUrl);
  await client.query('INSERT INTO transfers (id, owner_id, "order") VALUES ($1, $2, $3)', [
    id,
    ann.id,
    JSON.stringify(order),
  ]);
  await client.end();
  return id;
}

it('an account gets only the mails and notifications that it chose', async () => {
  await using server = await startSmtp();
  const address = {
    enabled: true,
    host: '127.0.0.1',
    port: server.port,
    security: 'none' as const,
  };
  const quiet = { notify_login: false, notify_audit: false, tls_verify: false };
  await harness.set('email', { ...address, ...quiet, from_address: 'gate@example.com' });
  const choose = (user: User, kind: NotificationKind, ways: { page: boolean; mail: boolean }) =>
    harness.store.notifications.choose(user.id, new Map([[kind, ways]]));
  await choose(ann, 'image.blocked', { page: true, mail: false });
  await choose(boss, 'image.blocked', { page: false, mail: true });
  await choose(ann, 'waiver.ending', { page: true, mail: false });
  await choose(boss, 'waiver.waiting', { page: true, mail: false });
  await choose(ann, 'waiver.decided', { page: false, mail: false });
  const waiver = await request(null, ann.id);
  await harness.start();

  const facts = [{ id: waiver.id, vulnerability: waiver.vulnerability, folder: null }];
  await send({ event: 'waiver.waiting', resource: null, detail: { waivers: facts } });
  await expect.poll(() => notified(boss)).toEqual(['waiver.waiting CVE-2026-1']);
  await expect.poll(unacknowledged).toBe(0);
  const requester = { kind: 'user', id: ann.id, name: 'ann' };
  await send({ event: 'waiver.ending', resource: requester, detail: { waivers: facts } });
  await harness.store.waivers.save({ ...waiver, state: 'approved' });
  const about = { kind: 'waiver', id: waiver.id, name: waiver.vulnerability };
  await send({ event: 'waiver.approved', actor: actorOf(boss), resource: about });
  const owners = [ann, boss].map(({ id, username: name }) => ({ id, name }));
  const image = { kind: 'image', id: 'sha256:1', name: 'team/app', folder: 'team' };
  await send({ event: 'image.blocked', resource: image, detail: { owners, policy: 'strict' } });
  const sent = () => server.mails.map(({ email }) => `${email.to?.[0]?.address}: ${email.subject}`);
  const only = ['boss@example.com: [Portcullis] your images: 1 blocked'];
  await expect.poll(sent).toEqual(only);
  // Another group than that of the mails, which may be later.
  await expect.poll(unacknowledged).toBe(0);
  expect(await notified(ann)).toEqual(['image.blocked team/app', 'waiver.ending CVE-2026-1']);
  expect(await notified(boss)).toEqual(['waiver.waiting CVE-2026-1']);
  await send({ event: 'image.blocked', resource: image, detail: { owners, policy: 'strict' } });
  await expect.poll(sent).toEqual([...only, ...only]);
});
