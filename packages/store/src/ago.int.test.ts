/** What is removed by its age, where the clock of the process that removes it is ahead. */
import { randomUUID } from 'node:crypto';
import { UNLIMITED_SCOPES } from '@portcullis/domain';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openStore, type Store } from './index.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
let store: Store;
let userId: string;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, { seal: (text) => text, open: (text) => text });
  userId = (await store.users.insert({ username: 'ada', passwordHash: null })).id;
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});
afterEach(() => vi.useRealTimers());

const inADay = () => new Date(Date.now() + DAY_MS);

const auditEvent = () => ({
  ...{ id: randomUUID(), at: new Date().toISOString(), event: 'auth.login', action: '' },
  ...{ outcome: 'success' as const, resource: null, client_ip: null, user_agent: null },
  ...{ method: null, path: null, status: null, duration_ms: null, request_id: null, detail: {} },
  actor: { id: null, name: 'ada', auth: 'session' as const },
});
const token = () => ({
  ...{ userId, name: 'ci', hint: '', hash: 'hash', expiresAt: inADay() },
  scope: UNLIMITED_SCOPES.api,
});

it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
  [
    'events of the audit log',
    () => store.audit.insert([auditEvent()]),
    () => store.audit.removeOlderThan(30),
  ],
  [
    'sessions',
    () => store.sessions.insert({ userId, expiresAt: inADay() }),
    () => store.sessions.removeExpired(),
  ],
  ['tokens', () => store.tokens.insert(token()), () => store.tokens.removeExpired(0)],
  [
    'storages of workers',
    () => store.storages.beat(randomUUID()),
    async () => (await store.storages.removeUnseen(DAY_MS)).length,
  ],
])('%s stay', async (_, insert, remove) => {
  await insert();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2999-01-01') });
  expect(await remove()).toBe(0);
});
