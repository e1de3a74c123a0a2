/** Mails that servers reject, limit or delay, and a notifier that is killed meanwhile. */
import { randomUUID } from 'node:crypto';
import type { EmailSettings } from '@portcullis/domain';
import { listGroups, publish } from '@portcullis/events';
import { listHeartbeats } from '@portcullis/runtime';
import { type ReceivedMail, startSmtp } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { eventsOf, harness, settingsFor, startMails, unread } from './email.fixture.ts';
import { end } from './harness.ts';

startMails();

it.each<[string, Partial<EmailSettings>, string[]]>([
  ['logins only', { notify_audit: false }, ['auth.login', 'auth.logout']],
  ['everything except logins', { notify_login: false }, ['folders.create', 'v2.push']],
  ['everything', {}, ['auth.login', 'folders.create', 'v2.push', 'auth.logout']],
])('notifies about %s, in one message for events of the same time', async (_, more, expected) => {
  await using server = await startSmtp();
  await harness.set('email', settingsFor(server.port, more));
  await harness.start({ EMAIL_GATHER_SECONDS: '2' });
  await harness.publish('auth.login', 'folders.create', 'v2.push', 'auth.logout');
  await expect.poll(() => server.mails.map(eventsOf)).toEqual([expected]);
});

it('disabled, it sends and keeps nothing', async () => {
  await using server = await startSmtp();
  await harness.set('email', settingsFor(server.port, { enabled: false }));
  await harness.start();
  await harness.publish('auth.login');
  await expect.poll(async () => (await harness.store.audit.list({})).items.length).toBe(1);
  await expect
    .poll(async () => (await listGroups(harness.redis)).map(({ name }) => name).sort())
    .toEqual(['archive', 'notifications', 'webhooks']);
  expect(server.mails).toEqual([]);
});

it('a requester gets one mail about waivers that end, with EMAIL_ENABLED alone', async () => {
  await using server = await startSmtp();
  const off = { notify_login: false, notify_audit: false };
  await harness.set('email', settingsFor(server.port, off));
  const requester = (name: string, email: string | null) =>
    harness.store.users.insert({ username: name, passwordHash: null, email });
  const [ann, bob] = [await requester('ann', 'ann@example.com'), await requester('bob', null)];
  await harness.start();
  const waivers = [{ vulnerability: 'CVE-2026-1' }, { vulnerability: 'CVE-2026-2' }];
  for (const { id, username: name } of [bob, ann]) {
    const resource = { kind: 'user', id, name };
    const event = { event: 'waiver.ending', resource, detail: { waivers } };
    await publish(harness.redis, sampleEvent({ id: randomUUID(), ...event }));
  }
  await harness.publish('auth.login');
  await expect.poll(() => server.mails.length).toBe(1);
  const [mail] = server.mails;
  expect(mail?.email.to?.map(({ address }) => address)).toEqual(['ann@example.com']);
  expect(mail?.email.subject).toBe('[Portcullis] 2 of your waivers end soon');
  await expect.poll(unread).toBe(0);
  expect(server.mails).toHaveLength(1);
});

it('a message that is rejected for good is set aside and recorded, and later ones are delivered', async () => {
  const refusesMessage = (mail: ReceivedMail) => (eventsOf(mail).includes('v2.push') ? 554 : null);
  await using server = await startSmtp({ refusesMessage });
  await harness.set('email', settingsFor(server.port));
  await harness.publish('folders.create', 'v2.push');
  await harness.start();
  const recorded = async () => (await harness.store.audit.list({ event: 'email.refused' })).items;
  await expect.poll(recorded).toHaveLength(1);
  await harness.publish('auth.login');
  // What was in one message with it arrives by itself.
  await expect.poll(() => server.mails.map(eventsOf)).toEqual([['folders.create'], ['auth.login']]);

  const [event] = await recorded();
  expect(event).toMatchObject({
    outcome: 'failure',
    resource: { kind: 'mail' },
    detail: {
      events: 1,
      recipients: ['ops@example.com'],
      error: expect.stringContaining('554'),
    },
  });
  const said = async () =>
    (await listHeartbeats(harness.redis)).find(({ name }) => name === 'notifier')?.detail.email;
  await expect.poll(said).toMatchObject({
    refused: 1,
    last_refusal: expect.stringContaining('554'),
    delivered: 2,
    failing: null,
  });
  await expect.poll(unread).toBe(0);
});

it('a server that rejects everything for good gets each message once, and no message about the rejections', async () => {
  const attempts: string[][] = [];
  const refusesMessage = (mail: ReceivedMail) => attempts.push(eventsOf(mail)) && 550;
  await using server = await startSmtp({ refusesMessage });
  await harness.set('email', settingsFor(server.port));
  await harness.start();
  await harness.publish('auth.login');
  const recorded = async () => (await harness.store.audit.list({ event: 'email.refused' })).items;
  await expect.poll(recorded).toHaveLength(1);
  await expect.poll(unread).toBe(0);
  await harness.publish('auth.logout');
  await expect.poll(recorded).toHaveLength(2);
  await expect.poll(unread).toBe(0);
  expect(attempts).toEqual([['auth.login'], ['auth.logout']]);
});

it('a server with a small limit for messages gets the events in several', async () => {
  const refusesMessage = (mail: ReceivedMail) => (mail.raw.length > 4_000 ? 552 : null);
  await using server = await startSmtp({ refusesMessage });
  await harness.set('email', settingsFor(server.port));
  const names = Array.from({ length: 12 }, () => 'folders.create');
  await harness.publish(...names);
  await harness.start();
  await expect.poll(() => server.mails.flatMap(eventsOf)).toHaveLength(names.length);
  expect(server.mails.length).toBeGreaterThan(1);
  await expect.poll(unread).toBe(0);
});

it('a recipient that is refused for now gets the message later, and the others get it once', async () => {
  let refusals = 2;
  const refuses = (address: string) => address === 'slow@example.com' && refusals-- > 0 && 450;
  await using server = await startSmtp({ refuses });
  const to_addresses = ['ops@example.com', 'slow@example.com'];
  await harness.set('email', settingsFor(server.port, { to_addresses }));
  await harness.publish('folders.create');
  await harness.start();
  await expect
    .poll(() => server.mails.map(({ to }) => to))
    .toEqual([['ops@example.com'], ['slow@example.com']]);
  await expect.poll(unread).toBe(0);
});

it('a message that is rejected temporarily is sent again, before later ones', async () => {
  let refusals = 2;
  await using server = await startSmtp({ refusesMessage: () => (refusals-- > 0 ? 451 : null) });
  await harness.set('email', settingsFor(server.port));
  await harness.start();
  await harness.publish('auth.login');
  await expect.poll(() => refusals).toBeLessThan(2);
  await harness.publish('auth.logout');
  await expect.poll(() => server.mails.flatMap(eventsOf)).toEqual(['auth.login', 'auth.logout']);
  expect((await harness.store.audit.list({ event: 'email.refused' })).items).toEqual([]);
});

it('a message in transit when the notifier is killed is sent again', async () => {
  await using hanging = await startSmtp({ hangs: 'message' });
  await harness.set('email', settingsFor(hanging.port));
  const first = await harness.start();
  await harness.publish('auth.login');
  await expect
    .poll(
      async () => (await listGroups(harness.redis)).find(({ name }) => name === 'email')?.pending,
    )
    .toBe(1);
  await end(first, 'SIGKILL');
  await using server = await startSmtp();
  await harness.set('email', settingsFor(server.port));
  await harness.start();
  await harness.publish('folders.create');
  await expect.poll(() => server.mails.flatMap(eventsOf)).toEqual(['auth.login', 'folders.create']);
});
