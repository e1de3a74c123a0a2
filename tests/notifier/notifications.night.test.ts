/** Notifications through a killed notifier, and the mails that an account chose. */
import type { NotificationKind } from '@portcullis/domain';
import { listGroups } from '@portcullis/events';
import type { User } from '@portcullis/store';
import { startSmtp } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { end } from './harness.ts';
import {
  actorOf,
  ann,
  boss,
  harness,
  jobEvent,
  notified,
  request,
  send,
  startNotified,
  unread,
} from './notifications.fixture.ts';

startNotified();

/** Events that any group has not processed. */
async function unacknowledged(): Promise<number> {
  const groups = await listGroups(harness.redis);
  return groups.reduce((sum, { pending, lag }) => sum + pending + (lag ?? 0), 0);
}

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
