/** Many robots with many tokens: what a request costs in queries, and that each keeps its scope. */
import { randomUUID } from 'node:crypto';
import type { TokenScope } from '@portcullis/domain';
import { createTransport } from '@portcullis/oci/remote';
import { createPasswords } from '@portcullis/passwords';
import { createLogger, openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  startRedis,
  type TestDatabase,
  type TestServer,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIdentity, type IdentityParts } from './identity.ts';
import { makeToken } from './personal-tokens.ts';

const ROBOTS = 200;
const TOKENS_OF_EACH = 5;
const AT_ONCE = 20;
const CLIENT = '127.0.0.1';

let database: TestDatabase;
let redisServer: TestServer;
let redis: Redis;
let store: Store;
let identity: IdentityParts;
/** Reads by name; notes of the last use are written once a minute for each token. */
let reads: string[] = [];
const made: { username: string; token: string; folder: string }[] = [];

beforeAll(async () => {
  [database, redisServer] = await Promise.all([createDatabase(), startRedis()]);
  const log = createLogger({ name: 'test', level: 'error' });
  redis = openRedis(redisServer.url, { mode: 'fail-fast', log });
  await redisReady(redis);
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  identity = createIdentity({
    store: counting(store),
    redis,
    passwords: createPasswords(),
    secretKey: Buffer.alloc(32, 2),
    log,
    passwordRule: { allows: async () => true },
    limits: { perAccount: 100, perAddress: 100, windowSeconds: 60 },
    oidcTokenDays: null,
    publicUrl: null,
    sessionSeconds: 3600,
    transport: createTransport(),
  });
  await populate();
});

afterAll(async () => {
  identity?.close();
  await store?.close();
  redis?.disconnect();
  await Promise.all([database?.stop(), redisServer?.stop()]);
});

async function populate(): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const folder = await store.folders.insertFolder({ name: `team-${n}` });
    const group = await store.groups.insertGroup({ name: `group-${n}` });
    await store.folders.grant(folder.id, group.id, { canPull: true, canPush: true });
    for (let m = 0; m < ROBOTS / 10; m++) await robot(`robot-${n}-${m}`, group.id, folder.name);
  }
}

async function robot(name: string, groupId: string, folder: string): Promise<void> {
  const { id } = await store.robots.insert({
    name,
    description: '',
    ownerGroupId: groupId,
    groupIds: [groupId],
    canBypassVulnBlock: false,
    createdBy: 'admin',
  });
  const scope: TokenScope = { folders: [folder], actions: ['pull'], api: true, registry: true };
  for (let n = 0; n < TOKENS_OF_EACH; n++) {
    const { token, hash, hint } = makeToken('robot');
    const expiresAt = new Date(Date.now() + 3_600_000);
    await store.tokens.insert({ userId: id, name: randomUUID(), scope, hash, hint, expiresAt });
    made.push({ username: name, token, folder });
  }
}

function counting(real: Store): Store {
  const counted = <T extends object>(name: string, aggregate: T): T =>
    new Proxy(aggregate, {
      get(target, method) {
        if (method !== 'used') reads.push(`${name}.${String(method)}`);
        return Reflect.get(target, method);
      },
    });
  return {
    ...real,
    users: counted('users', real.users),
    tokens: counted('tokens', real.tokens),
    robots: counted('robots', real.robots),
    groups: counted('groups', real.groups),
    folders: counted('folders', real.folders),
  };
}

/** The queries of one request with each token. */
async function requestEach(): Promise<string[]> {
  reads = [];
  for (let at = 0; at < made.length; at += AT_ONCE)
    await Promise.all(
      made.slice(at, at + AT_ONCE).map(async ({ username, token, folder }) => {
        const { authenticateBasic } = identity.registryAccounts;
        const principal = await authenticateBasic(username, token, CLIENT);
        expect(principal).toMatchObject({ username, isAdmin: false });
        expect(principal?.grants).toEqual([
          { folder, canPull: true, canPush: false, canPullExternal: false, canPushExternal: false },
        ]);
      }),
    );
  return reads;
}

it('1,000 tokens of 200 robots are looked up once each, and then cost no query', async () => {
  const first = Map.groupBy(await requestEach(), (name) => name);
  expect(made.length).toBe(ROBOTS * TOKENS_OF_EACH);
  const counts = Object.fromEntries([...first].map(([name, all]) => [name, all.length]));
  expect(counts).toEqual({
    'tokens.findByHash': made.length,
    'users.find': ROBOTS,
    'folders.grantsFor': ROBOTS,
    'robots.ownerOf': ROBOTS,
    'folders.names': 1,
  });
  expect(await requestEach()).toEqual([]);
});
