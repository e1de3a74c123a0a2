/** The ends of waivers, on a real PostgreSQL, with a clock that the test moves. */
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store, type StoredWaiver } from '@portcullis/store';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { endWaivers } from './end-waivers.ts';

const START = new Date('2026-11-22T12:00:00Z');
const days = (count: number) => new Date(START.getTime() + count * 86_400_000);

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

async function waiver(
  requestedById: string,
  vulnerability: string,
  end: number,
  state: StoredWaiver['state'] = 'approved',
): Promise<StoredWaiver> {
  const inserted = await store.waivers.insertWaiver({
    vulnerability,
    package: null,
    packageVersion: null,
    repository: null,
    digest: null,
    folder: null,
    status: 'accepted',
    justification: null,
    reason: 'not reachable',
    ticket: null,
    vexDocument: null,
    requestedById,
    expiresAt: days(end),
  });
  return store.waivers.save({ ...inserted, state });
}

async function runAt(now: Date): Promise<{ events: AuditEvent[]; changes: number }> {
  const changed = vi.fn(async () => {});
  const audit = { flush: async () => {} };
  await endWaivers({ waivers: store.waivers, audit, changed, now: () => now });
  const events: AuditEvent[] = [];
  const take = async (batch: AuditEvent[]) => {
    events.push(...batch);
    return 'stream';
  };
  while ((await store.outbox.publish(take, 100)) > 0);
  return { events, changes: changed.mock.calls.length };
}

it('requesters are reminded once, seven days before, and each end is recorded once', async () => {
  const named = async () =>
    (
      await store.users.insert({
        username: randomUUID(),
        passwordHash: null,
        isAdmin: true,
      })
    ).id;
  const [ann, bob] = [await named(), await named()];
  await waiver(ann, 'CVE-1', 10);
  await waiver(ann, 'CVE-2', 11);
  await waiver(bob, 'CVE-3', 10);
  await waiver(bob, 'CVE-4', 10, 'requested');
  await waiver(bob, 'CVE-5', 10, 'revoked');
  await waiver(bob, 'CVE-6', 40);

  await runAt(days(1));
  expect(await runAt(days(2))).toEqual({ events: [], changes: 0 });

  const reminded = await runAt(days(4));
  expect(reminded.changes).toBe(0);
  const shown = reminded.events.map(({ event, resource, detail: { waivers } }) => ({
    event,
    id: resource?.id,
    of: Array.isArray(waivers) && waivers.map((each) => each.vulnerability),
  }));
  expect(new Set(shown)).toEqual(
    new Set([
      { event: 'waiver.ending', id: ann, of: ['CVE-1', 'CVE-2'] },
      { event: 'waiver.ending', id: bob, of: ['CVE-3'] },
    ]),
  );
  expect(await runAt(days(5))).toEqual({ events: [], changes: 0 });

  const past = await runAt(days(10));
  expect(past.changes).toBe(1);
  const ends = past.events.map(({ event, resource, detail }) => [
    event,
    resource?.name,
    detail.state,
  ]);
  expect(ends.toSorted()).toEqual([
    ['waiver.expired', 'CVE-1', 'approved'],
    ['waiver.expired', 'CVE-3', 'approved'],
    ['waiver.expired', 'CVE-4', 'requested'],
  ]);
  expect(await runAt(days(10))).toEqual({ events: [], changes: 0 });
});

it('requests are announced once, together, and at most every 15 minutes', async () => {
  const { id } = await store.users.insert({
    username: randomUUID(),
    passwordHash: null,
    isAdmin: true,
  });
  const begin = days(100).getTime();
  const announcedAfter = async (minutes: number) => {
    const { events } = await runAt(new Date(begin + minutes * 60_000));
    return events
      .filter(({ event }) => event === 'waiver.waiting')
      .map(({ detail: { waivers } }) =>
        (waivers as { vulnerability: string }[]).map(({ vulnerability }) => vulnerability),
      );
  };
  await waiver(id, 'CVE-11', 200, 'requested');
  await waiver(id, 'CVE-12', 201, 'requested');
  await waiver(id, 'CVE-13', 200, 'approved');
  expect(await announcedAfter(0)).toEqual([['CVE-11', 'CVE-12']]);
  await waiver(id, 'CVE-14', 200, 'requested');
  expect(await announcedAfter(14)).toEqual([]);
  expect(await announcedAfter(15)).toEqual([['CVE-14']]);
  expect(await announcedAfter(60)).toEqual([]);
});
