/**
 * The notifier as a process: e-mail through outages and rejections of the server, and its own
 * restarts.
 */
import { randomUUID } from 'node:crypto';
import { listGroups, publish } from '@portcullis/events';
import { startSmtp } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { eventsOf, harness, settingsFor, startMails, unread } from './email.fixture.ts';

startMails();

it('reviewers get one mail about what they may see, and requesters the decisions of others', async () => {
  await using server = await startSmtp();
  const off = { notify_login: false, notify_audit: false };
  await harness.set('email', settingsFor(server.port, off));
  const { users, waivers, folders } = harness.store;
  const account = (username: string, rights: object = {}) =>
    users.insert({
      username,
      passwordHash: null,
      email: `${username}@example.com`,
      ...rights,
    });
  const ann = await account('ann');
  const boss = await account('boss', { isAdmin: true });
  // May review, but not pull from the folder.
  await account('rita', { canBypassVulnBlock: true });
  await folders.insertFolder({ name: 'team' });
  const requested = (folder: string | null, requestedById: string) =>
    waivers.insertWaiver({
      ...{
        vulnerability: `CVE-2026-${folder?.length ?? 1}`,
        package: null,
        packageVersion: null,
        repository: null,
      },
      ...{ digest: null, folder, status: 'accepted', justification: null, reason: 'none' },
      ...{ ticket: null, vexDocument: null, requestedById },
      expiresAt: new Date(Date.now() + 86_400_000),
    });
  const inTeam = await requested('team', ann.id);
  const everywhere = await requested(null, boss.id);
  await harness.start();

  const send = (event: object) =>
    publish(harness.redis, sampleEvent({ id: randomUUID(), outcome: 'success', ...event }));
  const facts = [inTeam, everywhere].map(({ id, vulnerability }) => ({ id, vulnerability }));
  await send({ event: 'waiver.waiting', resource: null, detail: { waivers: facts } });
  const sent = () =>
    server.mails
      .map(({ email }) => `${email.to?.[0]?.address}: ${email.subject}`)
      .toSorted((one, other) => one.localeCompare(other));
  const announced = [
    'boss@example.com: [Portcullis] a waiver of CVE-2026-4 waits for your review',
    'rita@example.com: [Portcullis] a waiver of CVE-2026-1 waits for your review',
  ];
  await expect.poll(sent).toEqual(announced);

  await waivers.save({ ...inTeam, state: 'approved' });
  await waivers.save({ ...everywhere, state: 'revoked' });
  const by = { id: boss.id, name: 'boss', auth: 'session' as const };
  const about = ({ id }: { id: string }) => ({ kind: 'waiver', id, name: null });
  await send({ event: 'waiver.revoked', actor: by, resource: about(everywhere) });
  await send({ event: 'waiver.approved', actor: by, resource: about(inTeam) });
  await expect
    .poll(sent)
    .toEqual([
      'ann@example.com: [Portcullis] your waiver of CVE-2026-4 was approved',
      ...announced,
    ]);
  await expect.poll(unread).toBe(0);
});

it('an outage and a refused password lose nothing; correct settings deliver at once', async () => {
  const auth = { username: 'gate', password: 'p4ss' };
  const away = await startSmtp();
  await harness.set('email', settingsFor(away.port));
  await away.stop();
  await harness.start();
  await harness.publish('auth.login');
  await expect
    .poll(
      async () => (await listGroups(harness.redis)).find(({ name }) => name === 'email')?.pending,
    )
    .toBe(1);
  await using server = await startSmtp({ auth });
  await harness.set('email', settingsFor(server.port, { ...auth, password: 'wrong' }));
  await harness.publish('auth.logout');
  await harness.set('email', settingsFor(server.port, auth));
  await expect.poll(() => server.mails.flatMap(eventsOf)).toEqual(['auth.login', 'auth.logout']);
});
