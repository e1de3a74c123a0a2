import { hostname, userInfo } from 'node:os';
import { GUESSES_PREFIX, UNLIMITED_SCOPES } from '@portcullis/domain';
import { type AuditEvent, recent, watchChanges } from '@portcullis/events';
import { createPasswords } from '@portcullis/passwords';
import { openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  startRedis,
  type TemporaryDir,
  type TestDatabase,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCli } from './call.fixture.ts';
import { runCli } from './cli.fixture.ts';

let database: TestDatabase;
let redis: TestServer;
let dir: TemporaryDir;
let store: Store;
let env: Record<string, string>;
const passwords = createPasswords();

beforeAll(async () => {
  [database, redis, dir] = await Promise.all([createDatabase(), startRedis(), temporaryDir()]);
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: 'http://127.0.0.1:1',
    DATA_DIR: dir.path,
  };
});

afterAll(async () => {
  await Promise.all([store.close(), passwords.close()]);
  await Promise.all([database.stop(), redis.stop(), dir.remove()]);
});

async function using<T>(work: (connection: Redis) => Promise<T>): Promise<T> {
  const connection = openRedis(redis.url, { mode: 'fail-fast' });
  await redisReady(connection);
  try {
    return await work(connection);
  } finally {
    connection.disconnect();
  }
}

/** The changes that running processes are notified of during `work`. */
async function heard(work: () => Promise<void>): Promise<string[]> {
  return using(async (connection) => {
    const kinds: string[] = [];
    const watch = watchChanges(connection, (kind) => kinds.push(kind));
    await expect.poll(() => watch.live()).toBe(true);
    kinds.length = 0;
    await work();
    await expect.poll(() => kinds.length).toBeGreaterThan(0);
    watch.close();
    return kinds;
  });
}

/** A disabled account with a session and a personal token that an attacker may have. */
async function brokenInto(username: string) {
  const user = await store.users.insert({ username, passwordHash: 'x', disabled: true });
  const session = await store.sessions.insert({
    userId: user.id,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = {
    userId: user.id,
    name: 'ci',
    scope: UNLIMITED_SCOPES.docker,
    hint: 'pct_…',
    expiresAt,
  };
  await store.tokens.insert({ ...token, hash: username });
  return { user, session };
}

async function verifies(username: string, password: string): Promise<boolean> {
  const user = await store.users.findByUsername(username);
  return passwords.verify(password, user?.passwordHash ?? null);
}

it('create-admin creates an administrator with a password from standard input', async () => {
  const ran = await runCli(['create-admin', 'root'], { env, input: 'a long password\n' });
  expect(ran).toMatchObject({ code: 0, out: 'The administrator root was made.\n' });
  expect(await store.users.findByUsername('root')).toMatchObject({
    isAdmin: true,
    mustChangePassword: false,
  });
  expect(await verifies('root', 'a long password')).toBe(true);
});

it('create-admin --generate shows a working password once, which must be changed', async () => {
  const ran = await callCli(['create-admin', 'second', '--generate', '--json'], { env });
  const { password } = JSON.parse(ran.out);
  expect(await verifies('second', password)).toBe(true);
  expect(await store.users.findByUsername('second')).toMatchObject({ mustChangePassword: true });
});

it.each([
  ['a name that is taken', ['create-admin', 'ROOT'], 'a long password\n', 1, 'USERNAME_TAKEN'],
  ['a short password', ['create-admin', 'x'], 'short\n', 1, 'PASSWORD_INVALID'],
  ['no password', ['create-admin', 'x'], '', 1, 'SECRET_MISSING'],
  ['an unknown account', ['reset-password', 'nobody'], 'a long password\n', 1, 'USER_UNKNOWN'],
  [
    'an unexpected argument',
    ['create-admin', 'x', 'y'],
    '',
    2,
    'usage: portcullis create-admin <username>',
  ],
  [
    'a password in argv',
    ['create-admin', 'x', '--password', 'y'],
    '',
    2,
    "Unknown option '--password'",
  ],
])('%s is refused with a message', async (_, args, input, code, words) => {
  const ran = await callCli(args, { env, input });
  expect(ran).toMatchObject({ code, out: '', err: expect.stringContaining(words) });
});

it('an unknown command ends the process as wrong usage does', async () => {
  const err = expect.stringContaining('there is no command "destroy"');
  expect(await runCli(['destroy'], { env })).toMatchObject({ code: 2, out: '', err });
});

/** The events that the command wrote to the audit log, newest first. */
async function recorded(): Promise<AuditEvent[]> {
  return using((connection) => recent(connection));
}

it('reset-password enables an account, ends its sessions and tokens and notifies every process', async () => {
  const { user, session } = await brokenInto('kim');
  const kinds = await heard(async () => {
    const ran = await runCli(['reset-password', 'kim'], { env, input: 'another password\n' });
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 session(s) and 1 token(s) ended'),
    });
  });
  expect(kinds).toEqual(['access']);
  expect(await verifies('kim', 'another password')).toBe(true);
  expect(await store.users.get(user.id)).toMatchObject({
    disabled: false,
    mustChangePassword: true,
  });
  expect(await store.sessions.find(session.id)).toBeNull();
  expect(await store.tokens.list(user.id)).toEqual([]);
});

it('reset-password --keep-tokens ends only the sessions', async () => {
  const { user } = await brokenInto('lou');
  await callCli(['reset-password', 'lou', '--keep-tokens'], { env, input: 'another password\n' });
  expect(await store.tokens.list(user.id)).toHaveLength(1);
});

it('reset-password clears the failed logins of that account and no other', async () => {
  await brokenInto('Ｍax');
  await using((connection) =>
    connection.mset(`${GUESSES_PREFIX}account:max`, 9, `${GUESSES_PREFIX}account:eve`, 9),
  );
  await callCli(['reset-password', 'Ｍax'], { env, input: 'another password\n' });
  expect(await using((connection) => connection.keys(`${GUESSES_PREFIX}*`))).toEqual([
    `${GUESSES_PREFIX}account:eve`,
  ]);
});

it('a change is in the audit log with account and machine, and without secrets', async () => {
  await callCli(['create-admin', 'audited'], { env, input: 'a long password\n' });
  await callCli(['reset-password', 'audited'], { env, input: 'another password\n' });
  const [reset, made] = await recorded();
  const actor = { id: null, name: 'cli', auth: 'system' };
  const detail = { host_user: `${userInfo().username}@${hostname()}` };
  expect(made).toMatchObject({ event: 'user.create', outcome: 'success', actor, detail });
  expect(reset).toMatchObject({
    event: 'user.update',
    resource: { kind: 'user', name: 'audited' },
    detail,
  });
  expect(JSON.stringify([reset, made])).not.toMatch(/a long password|another password|\$2b\$/);
});

it('reset-password is refused for an account of the identity provider', async () => {
  await store.users.insert({ username: 'from-oidc', passwordHash: null, authSource: 'oidc' });
  const ran = await callCli(['reset-password', 'from-oidc', '--generate'], { env });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('PASSWORD_NOT_LOCAL') });
});

it('disable-oidc-only enables password logins and keeps the other settings', async () => {
  await store.settings.set('oidc', { issuer: 'https://id.example', oidcOnly: true });
  const kinds = await heard(async () => {
    expect(await runCli(['disable-oidc-only'], { env })).toMatchObject({ code: 0 });
  });
  expect(kinds).toEqual(['settings']);
  expect(await store.settings.find('oidc')).toEqual({
    issuer: 'https://id.example',
    oidcOnly: false,
  });
});

it('without Redis the change is made, and a warning states the consequence', async () => {
  const away = { ...env, REDIS_URL: 'redis://127.0.0.1:1' };
  const ran = await callCli(['disable-oidc-only', '--json'], { env: away });
  expect(JSON.parse(ran.out)).toEqual({
    changed: false,
    warnings: ['Processes that run learn of this within a minute, or when restarted.'],
  });
  expect((await store.outbox.waiting()).count).toBe(1);
});
