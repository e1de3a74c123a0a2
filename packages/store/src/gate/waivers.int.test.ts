import { randomUUID } from 'node:crypto';
import { type AuditEvent, WAIVER_ORDERS, type WaiverOrder } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, everyItem, type TestDatabase } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type NewWaiver,
  openStore,
  type Store,
  type StoredWaiver,
  type User,
  type WaiverFilter,
} from '../index.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);

let database: TestDatabase;
let store: Store;
let root: User;
let ada: User;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  root = await store.users.insert({ username: 'root', passwordHash: null, isAdmin: true });
});
afterAll(async () => {
  await store.close();
  await database.stop();
});
beforeEach(async () => {
  ada = await store.users.insert({ username: randomUUID(), passwordHash: null });
  folder = (await store.folders.insertFolder({ name: `f-${randomUUID()}x` })).name;
});

function insert(change: Partial<NewWaiver> = {}): Promise<StoredWaiver> {
  return store.waivers.insertWaiver(wanted(change));
}

function wanted(change: Partial<NewWaiver> = {}): NewWaiver {
  return {
    vulnerability: 'CVE-2026-1',
    package: null,
    packageVersion: null,
    repository: null,
    digest: null,
    folder,
    status: 'accepted',
    justification: null,
    reason: 'not reachable',
    ticket: null,
    vexDocument: null,
    requestedById: ada.id,
    expiresAt: days(10),
    ...change,
  };
}

async function approve(waiver: StoredWaiver): Promise<StoredWaiver> {
  return store.waivers.save({
    ...waiver,
    state: 'approved',
    approvals: [{ accountId: 'u2', username: 'rita', at: NOW }],
  });
}

async function grantPush(canPush: boolean): Promise<void> {
  const group = await store.groups.insertGroup({ name: randomUUID() });
  await store.groups.addMember(group.id, ada.id);
  await store.folders.grant((await store.folders.get(folder)).id, group.id, { canPush });
}

const inForce = async (now = NOW) =>
  (await store.waivers.inForce(now)).filter((each) => each.folder === folder).map(({ id }) => id);

describe('waivers', () => {
  it('are requested, and carry their approvals', async () => {
    const waiver = await insert();
    expect(waiver).toMatchObject({ state: 'requested', folder, requestedBy: ada.username });
    const approved = await approve(waiver);
    expect(approved.approvals).toEqual([{ accountId: 'u2', username: 'rita', at: NOW }]);
    await expect(approve(waiver)).rejects.toMatchObject({ code: 'WAIVER_CHANGED' });
    expect(await store.waivers.get(waiver.id)).toEqual(approved);
  });

  it('need a folder that exists', async () => {
    await expect(insert({ folder: 'missing' })).rejects.toMatchObject({ code: 'FOLDER_UNKNOWN' });
  });

  it('are in force while they are approved, not ended, and their requester may push', async () => {
    const waiver = await insert();
    expect(await inForce()).toEqual([]);
    await approve(waiver);
    expect(await inForce()).toEqual([]);
    await grantPush(true);
    expect(await inForce()).toEqual([waiver.id]);
    expect(await inForce(days(10))).toEqual([]);
    await store.users.update(ada.id, { disabled: true });
    expect(await inForce()).toEqual([]);
  });

  it('of an account that may only pull are not in force', async () => {
    await approve(await insert());
    await grantPush(false);
    expect(await inForce()).toEqual([]);
  });

  it('of an account that reviews waivers are in force', async () => {
    const waiver = await approve(await insert());
    await store.users.update(ada.id, { canBypassVulnBlock: true });
    expect(await inForce()).toEqual([waiver.id]);
  });

  it('of a folder are reviewed by people who see it, and by no robot', async () => {
    const group = await store.groups.insertGroup({ name: randomUUID() });
    const { id } = await store.folders.get(folder);
    await store.folders.grant(id, group.id, { canPull: true });
    const account = { passwordHash: null, canBypassVulnBlock: true };
    const inside = await store.users.insert({ username: randomUUID(), ...account });
    await store.groups.addMember(group.id, inside.id);
    await store.users.insert({ username: randomUUID(), ...account });
    await store.robots.insert({
      name: randomUUID(),
      description: '',
      ownerGroupId: null,
      groupIds: [group.id],
      createdBy: 'root',
      canBypassVulnBlock: true,
    });
    const request = await insert();
    const reviewers = await store.waivers.reviewersOf([request.id]);
    expect(reviewers.map((each) => each.id).sort()).toEqual([root.id, inside.id].sort());
    expect(reviewers.map(({ waivers }) => waivers)).toEqual([[request.id], [request.id]]);
  });

  it('end with their folder', async () => {
    const { id } = await insert();
    await store.folders.remove((await store.folders.get(folder)).id);
    expect(await store.waivers.find(id)).toBeNull();
  });

  it.each<[string, WaiverFilter, number]>([
    ['requested', { state: 'requested' }, 1],
    ['approved', { state: 'approved' }, 1],
    ['expired', { state: 'expired' }, 1],
    ['all', {}, 3],
    ['of another vulnerability', { vulnerability: 'CVE-2026-9' }, 0],
    ['a page of two', { limit: 2 }, 2],
  ])('are listed: %s', async (_, filter, count) => {
    await insert();
    await approve(await insert());
    await insert({ expiresAt: NOW });
    const { items } = await store.waivers.list({ ...filter, folder }, NOW);
    expect(items).toHaveLength(count);
  });

  it.each([
    ['2026-1', 1],
    ['SHOP-4711', 1],
    ['openssl', 1],
    ['shop/nginx', 1],
    ['reachable shop-4711', 1],
    ['reachable SHOP-4712', 0],
    ['%', 0],
  ])('are found by the words of what the list shows: %s', async (q, count) => {
    const ticket = 'SHOP-4711';
    await insert({ ticket, package: 'openssl', repository: 'shop/nginx' });
    const { items } = await store.waivers.list({ q, folder }, NOW);
    expect(items).toHaveLength(count);
  });

  it.each<[WaiverOrder, string]>([
    ['-created_at', 'f e d c b a'],
    ['created_at', 'a b c d e f'],
    ['vulnerability', 'f c a e b d'],
    ['-vulnerability', 'd e b f c a'],
    ['state', 'e a b c d f'],
    ['-state', 'f d c b e a'],
    ['expires_at', 'c f b d a e'],
    ['-expires_at', 'e d a f b c'],
  ])('by %s are each on one page, and equal ones newest first', async (sort, order) => {
    const names = new Map<string, string>();
    for (const [name, nth, end, state] of [
      ['a', 1, days(10), 'requested'],
      ['b', 2, days(5), 'approved'],
      ['c', 1, NOW, 'requested'],
      ['d', 3, days(10), 'rejected'],
      ['e', 2, days(20), 'requested'],
      ['f', 1, days(5), 'revoked'],
    ] as const) {
      const made = await insert({ vulnerability: `CVE-2026-${nth}`, expiresAt: end });
      names.set((await store.waivers.save({ ...made, state })).id, name);
    }
    const listed = await everyItem((cursor) =>
      store.waivers.list({ folder, sort, limit: 2, cursor: cursor ?? undefined }, NOW),
    );
    expect(listed.map(({ id }) => names.get(id)).join(' ')).toBe(order);
  });

  it('are listed by no cursor of another order, and by none that was not issued', async () => {
    await store.waivers.insertWaivers([wanted(), wanted()]);
    for (const issued of WAIVER_ORDERS) {
      const page = await store.waivers.list({ folder, sort: issued, limit: 1 }, NOW);
      const cursors = [page.nextCursor ?? '', keyed(issued, 'x'), 'x'];
      for (const sort of WAIVER_ORDERS.filter((each) => each.replace('-', '') !== 'created_at'))
        for (const cursor of sort === issued ? cursors.slice(2) : cursors)
          await expect(store.waivers.list({ sort, cursor }, NOW)).rejects.toMatchObject({
            code: 'CURSOR_INVALID',
          });
    }
    for (const sort of ['state', 'expires_at'] as const)
      await expect(
        store.waivers.list({ sort, cursor: keyed(sort, 'x') }, NOW),
      ).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('are visible to their requester and in the folders that the account sees', async () => {
    await insert();
    const count = async (accountId: string, folders: string[]) =>
      (await store.waivers.list({ folder, visibleTo: { accountId, folders } }, NOW)).items.length;
    expect(await count(ada.id, [])).toBe(1);
    expect(await count(randomUUID(), [])).toBe(0);
    expect(await count(randomUUID(), [folder])).toBe(1);
  });

  it('of a list are in force as those of the whole installation', async () => {
    const [waiver, requested] = [await approve(await insert()), await insert()];
    const ids = [waiver.id, requested.id, randomUUID()];
    expect(await store.waivers.inForceOf(ids, NOW)).toEqual(new Set());
    await grantPush(true);
    expect(await store.waivers.inForceOf(ids, NOW)).toEqual(new Set([waiver.id]));
  });

  it('are inserted together or not at all', async () => {
    await insert();
    await expect(
      store.waivers.insertWaivers([wanted(), wanted({ folder: 'missing' })]),
    ).rejects.toMatchObject({ code: 'FOLDER_UNKNOWN' });
    expect((await store.waivers.list({ folder }, NOW)).items).toHaveLength(1);
    expect(await store.waivers.insertWaivers([wanted(), wanted()])).toHaveLength(2);
  });

  it('of an account that wait in one folder are bounded, also those requested at once', async () => {
    // Other tests look at those that end.
    const LATE = { expiresAt: new Date('2099-01-01') };
    const many = (count: number, change: Partial<NewWaiver> = {}) =>
      store.waivers.insertWaivers(
        Array.from({ length: count }, () => wanted({ ...LATE, ...change })),
        10,
      );
    const refused = { kind: 'conflict', code: 'WAIVERS_MANY' };
    await many(6);
    const settled = await Promise.allSettled([many(3), many(3), many(3)]);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(many(2)).rejects.toMatchObject(refused);
    const [last] = await many(1);
    await expect(many(1)).rejects.toMatchObject(refused);
    await many(1, { requestedById: root.id });
    await many(1, { folder: null, requestedById: root.id });
    if (last) await approve(last);
    await many(1);
    await expect(
      store.waivers.insertWaivers(Array.from({ length: 501 }, () => wanted(LATE))),
    ).rejects.toMatchObject(refused);
  });

  it('that are open are found by account, folder and vulnerability, each scope once', async () => {
    const { vulnerability, requestedById } = await insert();
    await store.waivers.insertWaivers([wanted(), wanted({ package: 'zlib' })]);
    type Asked = Parameters<typeof store.waivers.openScopesOf>[0];
    const vulnerabilities = [vulnerability, 'CVE-1999-0001'];
    const asked: Asked = { requestedById, folder, vulnerabilities };
    const packages = async (change: Partial<Asked>, at = NOW) =>
      (await store.waivers.openScopesOf({ ...asked, ...change }, at)).map((each) => each.package);
    const all = await packages({});
    expect(all.toSorted()).toEqual([wanted().package, 'zlib'].toSorted());
    expect(await packages({}, days(10))).toEqual([]);
    expect(await packages({ folder: null })).toEqual([]);
    expect(await packages({ requestedById: randomUUID() })).toEqual([]);
    expect(await packages({ vulnerabilities: ['CVE-1999-0001'] })).toEqual([]);
  });

  it('that were closed say by whom and why', async () => {
    const closed = { by: 'root', at: NOW, reason: 'reachable' };
    const { id, ...rest } = await insert();
    await store.waivers.save({ id, ...rest, state: 'rejected', closed });
    expect(await store.waivers.get(id)).toMatchObject({ state: 'rejected', closed });
  });

  it('are taken once before their end, and once after it, with an event each', async () => {
    const { id } = await approve(await insert());
    const events = (taken: readonly StoredWaiver[]) => taken.map((each) => eventOf(each.id));
    const mine = async (taken: Promise<StoredWaiver[]>) =>
      (await taken).filter((each) => each.id === id).length;
    expect(await mine(store.waivers.takeEnding(NOW, days(7), events))).toBe(0);
    const twice = await Promise.all([
      mine(store.waivers.takeEnding(days(4), days(11), events)),
      mine(store.waivers.takeEnding(days(4), days(11), events)),
    ]);
    expect(twice.toSorted()).toEqual([0, 1]);
    expect(await mine(store.waivers.takeEnding(days(4), days(11), events))).toBe(0);
    expect(await mine(store.waivers.takeEnded(days(4), events))).toBe(0);
    expect(await mine(store.waivers.takeEnded(days(10), events))).toBe(1);
    expect(await mine(store.waivers.takeEnded(days(10), events))).toBe(0);
    expect(await published(id)).toBe(2);
  });

  it('stay untaken when their event cannot be stored', async () => {
    const { id } = await approve(await insert({ expiresAt: days(30) }));
    const failing = () => {
      throw new Error('no event');
    };
    await expect(store.waivers.takeEnding(days(25), days(32), failing)).rejects.toThrow('no event');
    const taken = await store.waivers.takeEnding(days(25), days(32), () => []);
    expect(taken.map((each) => each.id)).toContain(id);
  });
});

/** A cursor as the list would give it. */
function keyed(sort: WaiverOrder, value: string): string {
  const place = [sort, NOW.getTime(), randomUUID(), value];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function eventOf(id: string): AuditEvent {
  return sampleEvent({ id: randomUUID(), event: 'waiver.test', detail: { waiver: id } });
}

async function published(id: string): Promise<number> {
  const sent: AuditEvent[] = [];
  const send = async (events: AuditEvent[]) => {
    sent.push(...events);
    return 'stream';
  };
  await store.outbox.publish(send, 100);
  return sent.filter(({ detail }) => detail.waiver === id).length;
}
