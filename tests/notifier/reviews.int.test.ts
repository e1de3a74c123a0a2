/** The notifier as a process: one message of each event of a review request to each account. */
import { randomUUID } from 'node:crypto';
import type { AuditEventName, ReviewedFinding, ReviewState } from '@portcullis/domain';
import { listGroups, publish } from '@portcullis/events';
import type { DetailedReview, User } from '@portcullis/store';
import { startSmtp, type TestSmtp } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { OPEN, webhookTo } from './webhook-harness.ts';

const REVIEWER = { canBypassVulnBlock: true };

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness[Symbol.asyncDispose]());

/** People of the folder `shop`, unless `outside`. */
async function account(username: string, rights: object = {}, outside = false): Promise<User> {
  const { store } = harness;
  const email = `${username}@example.com`;
  const user = await store.users.insert({ username, passwordHash: null, email, ...rights });
  if (outside) return user;
  const folder = await store.folders
    .find('shop')
    .then((found) => found ?? store.folders.insertFolder({ name: 'shop' }));
  const group = await store.groups.insertGroup({ name: randomUUID() });
  await store.groups.addMember(group.id, user.id);
  await store.folders.grant(folder.id, group.id, { canPull: true, canPush: true });
  return user;
}

async function requested(by: User): Promise<DetailedReview> {
  const { store } = harness;
  const source = { kind: 'dockerhub', registryId: null, host: 'docker.io' } as const;
  const job = await store.jobs.insert({ ownerId: by.id, image: 'nginx', tag: '1.27', source });
  const findings = Array.from(
    { length: 29 },
    (_, at): ReviewedFinding => ({
      ...{ vulnerability: `CVE-2026-${1000 + at}`, severity: 'HIGH', title: null, cvssScore: null },
      ...{ cvssVector: null, primaryUrl: null, publishedAt: null, packages: [], packagesTotal: 0 },
    }),
  );
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  return store.reviews.insertReview(
    {
      jobId: job.id,
      image: {
        digest: 'sha256:a',
        registryId: null,
        host: 'docker.io',
        repository: 'nginx',
        tag: '1',
      },
      destination: {
        ...{ kind: 'local', registryId: '__local__', host: 'here', folder: 'shop' },
        ...{ repository: 'shop/nginx', tag: '1' },
      },
      age: null,
      signatures: null,
      ...{ findings, counts: { CRITICAL: 0, HIGH: 29, MEDIUM: 0, LOW: 0, UNKNOWN: 0 } },
      ...{ reason: 'the release needs it', ticket: null, push: null, requestedBy: by },
      ...{ until: inDays(30), endsAt: inDays(7) },
    },
    new Date(),
  );
}

/** As the api and the workers record it. */
async function tell(
  event: AuditEventName,
  review: DetailedReview,
  { by, ...detail }: { by: User; state?: ReviewState; approved?: number; comment?: string },
): Promise<void> {
  const { number, requestedById, requestedBy: name } = review;
  const resource = { kind: 'review', id: String(number), name: 'nginx:1', folder: 'shop' };
  const facts = { number, findings: 29, requested_by: { id: requestedById, name }, ...detail };
  const actor = { id: by.id, name: by.username, auth: 'session' as const };
  const at = new Date().toISOString();
  await publish(
    harness.redis,
    sampleEvent({
      id: randomUUID(),
      at,
      outcome: 'success',
      event,
      actor,
      resource,
      detail: facts,
    }),
  );
}

const listOf = ({ id: userId }: User) =>
  harness.store.notifications.list({ userId, isAdmin: true, folders: 'all', reviews: true }, {});
const unread = async (user: User) => (await listOf(user)).unread;

async function notified(user: User): Promise<string[]> {
  const { items } = await listOf(user);
  return items.map(({ kind, facts }) => [kind, facts.outcome].filter(Boolean).join(' '));
}

/** Events that any group has not processed. */
async function unacknowledged(): Promise<number> {
  const groups = await listGroups(harness.redis);
  return groups.reduce((sum, { pending, lag }) => sum + pending + (lag ?? 0), 0);
}

async function mailThrough(server: TestSmtp): Promise<void> {
  const address = {
    enabled: true,
    host: '127.0.0.1',
    port: server.port,
    security: 'none' as const,
  };
  const quiet = { notify_login: false, notify_audit: false, tls_verify: false };
  await harness.set('email', { ...address, ...quiet, from_address: 'gate@example.com' });
}

it('29 findings are one message to each reviewer and one to a webhook, and so is the decision', async () => {
  await using server = await startSmtp();
  await using receiver = await startReceiver();
  await mailThrough(server);
  const [dev, rita, rob, boss] = [
    await account('dev', REVIEWER),
    await account('rita', REVIEWER),
    await account('rob', REVIEWER),
    await account('boss', { isAdmin: true }, true),
  ];
  const others = [await account('eve', REVIEWER, true), await account('ann')];
  await webhookTo(harness, receiver, { folder: 'shop' });
  const review = await requested(dev);
  await harness.start(OPEN);

  await tell('review.requested', review, { by: dev });
  const sent = () =>
    server.mails.map(({ email }) => `${email.to?.[0]?.address}: ${email.subject}`).toSorted();
  const title = `[Portcullis] #${review.number} nginx:1: a request needs your review`;
  const asked = ['boss', 'rita', 'rob'].map((name) => `${name}@example.com: ${title}`);
  await expect.poll(sent).toEqual(asked);
  for (const user of [rita, rob, boss])
    await expect.poll(() => notified(user)).toEqual(['review.waiting']);

  await tell('review.decided', review, { by: rita, state: 'open' });
  await expect.poll(unacknowledged).toBe(0);
  expect(await unread(boss)).toBe(1);
  await tell('review.decided', review, { by: rob, state: 'partly_approved', approved: 28 });
  await expect.poll(() => notified(dev)).toEqual(['review.decided partly_approved']);
  // The decision marks the requests of all reviewers as read, and is unread to who asked.
  for (const user of [rita, rob, boss]) await expect.poll(() => unread(user)).toBe(0);
  expect(await unread(dev)).toBe(1);
  const decided = `dev@example.com: [Portcullis] #${review.number} nginx:1: partly approved`;
  await expect.poll(sent).toEqual([...asked, decided].toSorted());
  const types = () => receiver.received.map(({ body }) => body.type);
  await expect
    .poll(types)
    .toEqual(['io.portcullis.review.requested', 'io.portcullis.review.decided']);
  expect(receiver.received[0]?.body.data).toMatchObject({ number: review.number, findings: 29 });
  await expect.poll(unacknowledged).toBe(0);
  for (const user of others) expect(await notified(user)).toEqual([]);
  expect(await notified(rita)).toEqual(['review.waiting']);
});

it('a comment notifies those who take part, but not its author', async () => {
  const [dev, rita, rob] = [
    await account('dev'),
    await account('rita', REVIEWER),
    await account('rob', REVIEWER),
  ];
  const review = await requested(dev);
  await harness.start();
  await harness.store.reviews.addComment(review.number, { author: rita, text: 'which release?' });
  await tell('review.commented', review, { by: rita });
  await expect.poll(() => notified(dev)).toEqual(['review.commented']);
  await harness.store.reviews.addComment(review.number, { author: dev, text: '1.27.3' });
  await tell('review.commented', review, { by: dev });
  await expect.poll(() => notified(rita)).toEqual(['review.commented']);
  await expect.poll(unacknowledged).toBe(0);
  expect(await notified(dev)).toEqual(['review.commented']);
  expect(await notified(rob)).toEqual([]);
});
