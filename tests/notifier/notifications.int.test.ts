/** The notifier as a process: notifications of accounts on the page, and what they want by mail. */
import { randomUUID } from 'node:crypto';
import { subscribeProgress } from '@portcullis/events';
import { openSql } from '@portcullis/testing';
import { expect, it } from 'vitest';
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
