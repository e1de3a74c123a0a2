import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  heartbeat,
  keyIdFor,
  loadSecretKey,
  loadSecretKeys,
  openRedis,
  redisReady,
  sealer,
} from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  startRedis,
  type TemporaryDir,
  type TestDatabase,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCli } from './cli.fixture.ts';

const OLD = 'a'.repeat(64);
const NEW = 'b'.repeat(64);
const REGISTRIES = 450;

let redis: TestServer;
let database: TestDatabase;
let dir: TemporaryDir;
let env: Record<string, string>;
const opened: Store[] = [];

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

beforeEach(async () => {
  [database, dir] = await Promise.all([createDatabase(), temporaryDir()]);
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: 'http://127.0.0.1:1',
    DATA_DIR: dir.path,
  };
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await Promise.all([database.stop(), dir.remove()]);
});

/** The store of a process that was started with these keys. */
function storeWith(key: Buffer, others: Buffer[] = []): Store {
  const store = openStore(database.url, sealer(key, others));
  opened.push(store);
  return store;
}

/** One secret of every kind, and many registries. */
async function fill(key: Buffer): Promise<void> {
  const store = storeWith(key);
  const { seal } = sealer(key);
  for (let n = 0; n < REGISTRIES; n++)
    await store.registries.insert({
      name: `r${n}`,
      host: 'h',
      username: 'u',
      password: `secret ${n}`,
    });
  await store.settings.set('oidc', {
    issuer: 'https://id.example',
    sealedSecret: seal('oidc secret'),
  });
  await store.settings.set('network.email', {
    password: seal('mail secret'),
    smtp_host: 'mail.example',
  });
  const user = await store.users.insert({ username: 'u', passwordHash: null });
  const source = { kind: 'host', registryId: null, host: 'h' } as const;
  const job = await store.jobs.insert({ ownerId: user.id, image: 'r', tag: 't', source });
  await store.jobs.setSourceCredentials(job.id, { username: 'u', password: 'job secret' });
  await store.jobs.setPushCredentials(job.id, 'push', { username: 'u', password: 'push secret' });
}

async function readable(store: Store, open: (sealed: string) => string): Promise<number> {
  const { items: jobs } = await store.jobs.list({});
  const job = jobs[0]?.id ?? '';
  const registries = await store.registries.list();
  const secrets = await Promise.all([
    ...registries.map(({ id }) => store.registries.credentials(id)),
    store.jobs.sourceCredentials(job),
    store.jobs.pushCredentials(job, 'push'),
  ]);
  const { oidc, 'network.email': email } = await store.settings.all();
  expect(oidc).toMatchObject({ issuer: 'https://id.example' });
  expect(
    [Reflect.get(Object(oidc), 'sealedSecret'), Reflect.get(Object(email), 'password')].map(open),
  ).toEqual(['oidc secret', 'mail secret']);
  return new Set(secrets.map((each) => each?.password)).size;
}

const ALL = REGISTRIES + 2;

it('after a change of the key file was killed half-way all secrets are readable, and the next run completes it', async () => {
  const old = await loadSecretKey({ dataDir: dir.path });
  await fill(old);
  const killed = await runCli(['rotate-key'], { env, onNote: (_, kill) => kill() });
  expect(killed.code).toBeNull();

  const [key, ...others] = await loadSecretKeys({ dataDir: dir.path });
  const half = await storeWith(key).secrets.keyIds();
  expect(Object.keys(half).length).toBe(2);
  expect(key).toEqual(old);
  expect(await readable(storeWith(key, others), sealer(key, others).open)).toBe(ALL);

  expect(await runCli(['rotate-key'], { env })).toMatchObject({ code: 0 });
  const [now, ...none] = await loadSecretKeys({ dataDir: dir.path });
  expect([now.equals(old), none]).toEqual([false, []]);
  expect(await storeWith(now).secrets.keyIds()).toEqual({ [keyIdFor(now)]: ALL + 2 });
  expect(await readable(storeWith(now), sealer(now).open)).toBe(ALL);
  expect((await readdir(dir.path)).filter((file) => file.startsWith('secret'))).toEqual([
    'secret.key',
  ]);
});

it('with SECRET_KEY and SECRET_KEY_PREVIOUS processes continue, with either key first', async () => {
  const [old, now] = [Buffer.from(OLD, 'hex'), Buffer.from(NEW, 'hex')];
  await fill(old);
  const refused = await runCli(['rotate-key'], { env: { ...env, SECRET_KEY: NEW } });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('PREVIOUS_KEY_MISSING') });

  const given = { ...env, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };
  const ran = await runCli(['rotate-key', '--json'], { env: given });
  expect(JSON.parse(ran.out)).toEqual({ resealed: ALL + 2, unreadable: 0 });
  expect(await readable(storeWith(now), sealer(now).open)).toBe(ALL);
  expect(await readable(storeWith(now, [old]), sealer(now, [old]).open)).toBe(ALL);
});

it('a secret that neither key opens is reported and left unchanged', async () => {
  const stranger = storeWith(Buffer.alloc(32, 9));
  await stranger.registries.insert({ name: 'lost', host: 'h', username: 'u', password: 'x' });
  const ran = await runCli(['rotate-key'], {
    env: { ...env, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD },
  });
  expect(ran).toMatchObject({
    code: 1,
    out: expect.stringContaining('1 could be opened with neither key'),
  });
});

it('a key file is not changed while processes run', async () => {
  await writeFile(path.join(dir.path, 'secret.key'), OLD);
  const connection = openRedis(redis.url, { mode: 'fail-fast' });
  await redisReady(connection);
  const beating = heartbeat(connection, { name: 'worker', instance: 'far-away', version: '1' });
  await beating.start?.();
  const ran = await runCli(['rotate-key'], { env });
  await beating.stop?.();
  connection.disconnect();
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('worker far-away') });
  expect(await loadSecretKey({ dataDir: dir.path })).toEqual(Buffer.from(OLD, 'hex'));
});
