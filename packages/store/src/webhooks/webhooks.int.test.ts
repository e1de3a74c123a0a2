import { randomUUID } from 'node:crypto';
import { retry, type TransferOrder, transferJob } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type NewWebhook, openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
const NEW: NewWebhook = {
  name: 'hook',
  folder: null,
  url: 'https://hooks.example/secret-path',
  format: 'cloudevents',
  kinds: [],
  createdBy: 'root',
  secret: 'whsec_c2VjcmV0LW9mLXRoZS1ob29r',
};

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
});
afterAll(async () => {
  await store.close();
  await database.stop();
});
afterEach(() => sql('DELETE FROM webhooks'));

async function sql(text: string) {
  const client = await openSql(database.url);
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

const delivery = (webhookId: string, eventId: string = randomUUID()) => ({
  webhookId,
  eventId,
  kind: 'job.pushed',
  body: '{}',
});
/** A moment later, because rows have the clock of the database. */
const soon = () => new Date(Date.now() + 1_000);
const claim = (except: string[] = []) => store.webhookDeliveries.claim({ now: soon(), except });

it('the address and the secrets are sealed, and a new key seals them again', async () => {
  const { id } = await store.webhooks.insert(NEW);
  await store.webhooks.rotate(id, 'whsec_bmV3', new Date(Date.now() + 60_000));
  const rows = JSON.stringify(await sql('SELECT * FROM webhooks'));
  expect(rows).not.toContain('secret-path');
  expect(rows).not.toContain('whsec_');
  const both = sealer(Buffer.alloc(32, 9), [Buffer.alloc(32, 7)]);
  const [keyId] = Object.keys(await store.secrets.keyIds());
  const reseal = (sealed: string) => both.seal(both.open(sealed));
  expect(await store.secrets.reseal({ keyId: 'other', reseal })).toMatchObject({ done: 3 });
  expect(Object.keys(await store.secrets.keyIds())).not.toContain(keyId);
  const later = openStore(database.url, sealer(Buffer.alloc(32, 9)));
  try {
    expect(await later.webhooks.find(id)).toMatchObject({ url: NEW.url });
  } finally {
    await later.close();
  }
});

it('rotations at the same time take turns: the last secret and the one before it sign', async () => {
  const { id } = await store.webhooks.insert(NEW);
  const until = new Date(Date.now() + 60_000);
  const made = ['whsec_b25l', 'whsec_dHdv', 'whsec_dGhyZWU='];
  await Promise.all(made.map((secret) => store.webhooks.rotate(id, secret, until)));
  await store.webhookDeliveries.insert([delivery(id)]);
  const [claimed] = await claim();
  const secrets = claimed?.webhook.secrets ?? [];
  expect(secrets).toHaveLength(2);
  expect(made).toEqual(expect.arrayContaining(secrets));
  await expect(store.webhooks.rotate(randomUUID(), 'whsec_b25l', until)).rejects.toMatchObject({
    code: 'WEBHOOK_UNKNOWN',
  });
});

it('is removed with its folder, and listed by folder', async () => {
  await store.folders.insertFolder({ name: 'team' });
  const { id } = await store.webhooks.insert({ ...NEW, folder: 'team' });
  await store.webhooks.insert(NEW);
  const listed = await store.webhooks.list({ folders: ['team'] });
  expect(listed.map((hook) => hook.id)).toEqual([id]);
  const folder = await sql(`DELETE FROM folders WHERE name = 'team' RETURNING id`);
  expect(folder).toHaveLength(1);
  expect(await store.webhooks.find(id)).toBeNull();
  await expect(store.webhooks.insert({ ...NEW, folder: 'nowhere' })).rejects.toMatchObject({
    code: 'FOLDER_UNKNOWN',
  });
});

it('an event is queued once for each webhook, and none for a removed one', async () => {
  const [one, two] = [await store.webhooks.insert(NEW), await store.webhooks.insert(NEW)];
  const rows = [delivery(one.id, 'e'), delivery(two.id, 'e'), delivery(randomUUID(), 'e')];
  expect(await store.webhookDeliveries.insert(rows)).toBe(0);
  await store.webhookDeliveries.insert(rows);
  expect(await sql('SELECT 1 FROM webhook_deliveries')).toHaveLength(2);
});

it('an unreachable receiver has at most 10,000 deliveries waiting', async () => {
  const [full, other] = [await store.webhooks.insert(NEW), await store.webhooks.insert(NEW)];
  await store.webhookDeliveries.insert(Array.from({ length: 10_000 }, () => delivery(full.id)));
  expect(await store.webhookDeliveries.insert([delivery(full.id), delivery(other.id)])).toBe(1);
  expect(await store.webhookDeliveries.list(other.id, {})).toMatchObject({ total: 1 });
  expect(await store.webhookDeliveries.list(full.id, {})).toMatchObject({ total: 10_000 });
});

it('each delivery is claimed by one process at a time, four of a webhook', async () => {
  const hooks = await Promise.all([1, 2, 3].map(() => store.webhooks.insert(NEW)));
  const rows = hooks.flatMap(({ id }) => Array.from({ length: 6 }, () => delivery(id)));
  await store.webhookDeliveries.insert(rows);
  const claimed = (await Promise.all([claim(), claim(), claim()])).flat();
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
  const left = await claim([hooks[0]?.id ?? '']);
  expect(left.every(({ webhook }) => webhook.id !== hooks[0]?.id)).toBe(true);
});

it('a result counts only for the last attempt', async () => {
  const { id } = await store.webhooks.insert(NEW);
  await store.webhookDeliveries.insert([delivery(id)]);
  const [first] = await claim();
  await sql(`UPDATE webhook_deliveries SET lease_until = now() - interval '1 second'`);
  const [second] = await claim();
  if (!first || !second) throw new Error('nothing was claimed');
  const done = { at: new Date(), status: 204, code: null, durationMs: 5 };
  const next = { kind: 'delivered' } as const;
  expect(await store.webhookDeliveries.settle(first, { ...done, next })).toBe(false);
  expect(await store.webhookDeliveries.settle(second, { ...done, next })).toBe(true);
  const [stored] = (await store.webhookDeliveries.list(id, {})).items;
  expect(stored).toMatchObject({ state: 'delivered', attempts: 2, status: 204, durationMs: 5 });
});

it('a result of before a replay is not recorded, although the attempts start over', async () => {
  const { id } = await store.webhooks.insert(NEW);
  await store.webhookDeliveries.insert([delivery(id)]);
  const [before] = await claim();
  if (!before) throw new Error('nothing was claimed');
  await store.webhookDeliveries.replay(id, before.id, before.queuedAt);
  const [after] = await claim();
  if (!after) throw new Error('nothing was claimed after the replay');
  expect(after.attempts).toBe(before.attempts);
  const result = { at: new Date(), durationMs: 5, next: { kind: 'delivered' } } as const;
  await store.webhookDeliveries.release([before]);
  expect(await store.webhookDeliveries.settle(before, { ...result, status: 200, code: null })).toBe(
    false,
  );
  expect(await claim()).toEqual([]);
  expect(await store.webhookDeliveries.settle(after, { ...result, status: 204, code: null })).toBe(
    true,
  );
  const [stored] = (await store.webhookDeliveries.list(id, {})).items;
  expect(stored).toMatchObject({ state: 'delivered', attempts: 1, status: 204 });
});

it('a failure at an address that was replaced meanwhile does not affect the webhook', async () => {
  const { id } = await store.webhooks.insert(NEW);
  await store.webhookDeliveries.insert([delivery(id)]);
  const [claimed] = await claim();
  if (!claimed) throw new Error('nothing was claimed');
  await store.webhooks.update(id, { url: 'https://hooks.example/new-path' });
  const result = { at: new Date(), status: 410, code: 'WEBHOOK_REFUSED', durationMs: 5 };
  const event = sampleEvent({ event: 'webhook.disabled', outcome: 'failure' });
  const next = { kind: 'disable', reason: 'gone', failingSince: new Date(), event } as const;
  expect(await store.webhookDeliveries.settle(claimed, { ...result, next })).toBe(true);
  expect(await store.webhooks.find(id)).toMatchObject({
    enabled: true,
    failingSince: null,
    lastAttempt: null,
  });
  const [again] = await claim();
  expect(again).toMatchObject({ attempts: 2, webhook: { url: 'https://hooks.example/new-path' } });
});

it('ended deliveries are removed by age, waiting ones are not', async () => {
  const { id } = await store.webhooks.insert(NEW);
  await store.webhookDeliveries.insert([delivery(id, 'old'), delivery(id, 'waits')]);
  await sql(`UPDATE webhook_deliveries SET state = 'failed' WHERE event_id = 'old'`);
  expect(await store.webhookDeliveries.removeBefore(soon())).toBe(1);
  const left = (await store.webhookDeliveries.list(id, {})).items;
  expect(left.map(({ eventId }) => eventId)).toEqual(['waits']);
});

it('a transfer ends when its last job does, and again after a retry', async () => {
  const ada = await store.users.insert({ username: 'ada', passwordHash: null });
  const entries = ['a', 'b'].map((image) => ({
    image,
    repository: `team/${image}`,
    tags: { tag: '1' },
    targetTag: null,
  }));
  const order: TransferOrder = {
    source: { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' },
    destination: { kind: 'local', registryId: '__local__', host: 'here' },
    entries,
    platforms: 'all',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    withReferrers: true,
    bypass: { allowed: true, reason: null },
  };
  const jobs = entries.map((entry) =>
    transferJob(order, { entry, tag: '1' }, { by: ada, pushId: randomUUID(), now: new Date() }),
  );
  const made = await store.transfers.insert({ ownerId: ada.id, order, jobs });
  const ends = () => store.webhookDeliveries.transferEnds([made.id, randomUUID(), 'none']);
  const set = (status: string, n: number) =>
    store.jobs.update(made.jobs[n]?.id ?? '', (job) => ({
      ...job,
      status: status as typeof job.status,
      error: { code: 'REGISTRY_UNAVAILABLE', message: '', side: null, retryable: true },
      finishedAt: new Date(),
    }));
  await set('failed', 0);
  expect(await ends()).toEqual(new Map());
  const before = Date.now();
  await set('pushed', 1);
  const first = (await ends()).get(made.id);
  expect(first).toBeGreaterThanOrEqual(before);
  await store.jobs.update(made.jobs[0]?.id ?? '', (job) =>
    retry(job, { id: ada.id, isAdmin: true }, new Date()),
  );
  expect(await ends()).toEqual(new Map());
  await set('failed', 0);
  expect((await ends()).get(made.id)).toBeGreaterThan(first ?? 0);
});
