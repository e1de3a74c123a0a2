import { randomUUID } from 'node:crypto';
import { UNLIMITED_SCOPES } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

let database: TestDatabase;
let sql: pg.Client;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
});

afterAll(async () => {
  await store.close();
  await sql.end();
  await database.stop();
});

beforeEach(async () => {
  await sql.query('TRUNCATE users, groups, folders, registries, audit_events, settings CASCADE');
});

const FIRST = { passwordHash: 'hash', mustChangePassword: true };

function user(username: string, more: { isAdmin?: boolean } = {}) {
  return store.users.insert({ username, passwordHash: 'hash', ...more });
}

describe('an account', () => {
  it('has a case-insensitive name, and keeps its spelling', async () => {
    const ada = await user('Ada');
    await expect(user('aDA')).rejects.toMatchObject({ kind: 'conflict', code: 'USERNAME_TAKEN' });
    expect(await store.users.findByUsername('ADA')).toEqual(ada);
    expect(ada).toMatchObject({
      username: 'Ada',
      authSource: 'local',
      disabled: false,
      lastLoginAt: null,
    });
    expect(ada).not.toHaveProperty('usernameKey');
  });

  it('is unknown by an invalid id', async () => {
    expect(await store.users.find('x')).toBeNull();
    await expect(store.users.get(randomUUID())).rejects.toMatchObject({ code: 'USER_UNKNOWN' });
    await expect(store.users.update('x', {})).rejects.toMatchObject({ code: 'USER_UNKNOWN' });
    await expect(store.users.remove(randomUUID())).rejects.toMatchObject({ code: 'USER_UNKNOWN' });
  });

  it('the first admin is created once, however many processes start', async () => {
    const made = await Promise.all(
      [1, 2, 3, 4].map(() => store.users.ensureFirstAdmin('admin', async () => FIRST)),
    );
    expect(made.filter((one) => one !== null)).toMatchObject([
      { username: 'admin', isAdmin: true, mustChangePassword: true },
    ]);
    expect((await store.users.list()).total).toBe(1);
  });

  it('the last active admin is kept, also when two admins remove each other concurrently', async () => {
    const [a, b] = await Promise.all([user('a', { isAdmin: true }), user('b', { isAdmin: true })]);
    await user('c');
    const results = await Promise.allSettled([
      store.users.update(a.id, { disabled: true }),
      store.users.remove(b.id),
      store.users.update(b.id, { isAdmin: false }),
    ]);
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    expect(
      (await store.users.list()).items.filter((one) => one.isAdmin && !one.disabled),
    ).toHaveLength(1);
  });
});

describe('accounts', () => {
  it('are listed by name in pages, and found by part of a name or an address', async () => {
    for (const name of ['cleo', 'Ada', 'bob', 'dan']) await user(name);
    await store.users.insert({ username: 'eve', passwordHash: null, email: 'Eve@Corp.example' });
    const first = await store.users.list({ limit: 3 });
    expect(first.items.map(({ username }) => username)).toEqual(['Ada', 'bob', 'cleo']);
    const second = await store.users.list({ limit: 3, cursor: first.nextCursor });
    expect(second.items.map(({ username }) => username)).toEqual(['dan', 'eve']);
    expect([second.nextCursor, second.total]).toEqual([null, 5]);
    expect((await store.users.list({ q: 'corp.EX' })).items).toMatchObject([{ username: 'eve' }]);
    for (const wildcard of ['_', '%', '\\'])
      expect((await store.users.list({ q: wildcard })).total, wildcard).toBe(0);
    await expect(store.users.list({ cursor: 'x' })).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
  });
});

describe('a personal token', () => {
  const inADay = () => new Date(Date.now() + 86_400_000);

  it('is found by its hash, which no reader can see, and is removed with its account', async () => {
    const ada = await user('ada');
    await user('root', { isAdmin: true });
    const made = {
      userId: ada.id,
      name: 'ci',
      scope: UNLIMITED_SCOPES.docker,
      hint: 'pct_ab…yz',
      expiresAt: inADay(),
    } as const;
    const token = await store.tokens.insert({ ...made, hash: 'h1' });
    expect(token).toMatchObject({ ...made, lastUsedAt: null });
    expect(token).not.toHaveProperty('hash');
    expect(await store.tokens.findByHash('h1')).toEqual(token);
    expect(await store.tokens.find(token.id)).toEqual(token);
    expect(await store.tokens.find('x')).toBeNull();
    expect(await store.tokens.list(ada.id)).toEqual([token]);
    await store.users.remove(ada.id);
    expect(await store.tokens.findByHash('h1')).toBeNull();
  });

  it('records its last use to the minute, and is removed once', async () => {
    const ada = await user('ada');
    const made = {
      userId: ada.id,
      name: 'ci',
      scope: UNLIMITED_SCOPES.api,
      hint: '',
      expiresAt: inADay(),
    } as const;
    const { id } = await store.tokens.insert({ ...made, hash: 'h2' });
    const at = new Date('2026-01-01T00:00:00Z');
    await store.tokens.used(id, at);
    await store.tokens.used(id, new Date(at.getTime() + 59_000));
    expect(await store.tokens.find(id)).toMatchObject({ lastUsedAt: at });
    await store.tokens.used(id, new Date(at.getTime() + 61_000));
    expect((await store.tokens.find(id))?.lastUsedAt?.getTime()).toBe(at.getTime() + 61_000);
    expect(await store.tokens.remove(id)).toBe(true);
    expect(await store.tokens.remove(id)).toBe(false);
  });

  it('is removed after it expired', async () => {
    const ada = await user('ada');
    const made = {
      userId: ada.id,
      name: 'ci',
      scope: UNLIMITED_SCOPES.api,
      hint: '',
      hash: 'h3',
    } as const;
    await store.tokens.insert({ ...made, expiresAt: new Date(Date.now() - 1000) });
    await store.tokens.insert({ ...made, hash: 'h4', expiresAt: inADay() });
    expect(await store.tokens.removeExpired(60_000)).toBe(0);
    expect(await store.tokens.removeExpired(0)).toBe(1);
  });
});

describe('a session', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  it('ends when it is revoked, expires, or its account is disabled or removed', async () => {
    const ada = await user('ada');
    await user('root', { isAdmin: true });
    const insert = (expiresAt = inAnHour()) => store.sessions.insert({ userId: ada.id, expiresAt });
    const [one, two, three] = [await insert(), await insert(), await insert()];
    const expired = await insert(new Date(Date.now() - 1));
    expect(await store.sessions.find(one.id)).toEqual(one);
    expect(await store.sessions.find(expired.id)).toBeNull();
    expect(await store.sessions.find('nonsense')).toBeNull();
    await store.sessions.revoke(one.id);
    expect(await store.sessions.find(one.id)).toBeNull();
    expect(await store.sessions.revokeAll(ada.id, two.id)).toBe(2);
    expect(await store.sessions.find(three.id)).toBeNull();
    await store.users.update(ada.id, { disabled: true });
    expect(await store.sessions.find(two.id)).toBeNull();
    await store.users.update(ada.id, { disabled: false });
    expect(await store.sessions.find(two.id)).not.toBeNull();
    expect(await store.sessions.removeExpired()).toBe(1);
    await store.users.remove(ada.id);
    expect(await store.sessions.find(two.id)).toBeNull();
  });

  it('needs an account', async () => {
    const orphan = store.sessions.insert({ userId: randomUUID(), expiresAt: inAnHour() });
    await expect(orphan).rejects.toMatchObject({ code: 'USER_UNKNOWN' });
  });
});

describe('folders and grants', () => {
  it('an account may do what any of its groups may, folder by folder', async () => {
    const ada = await user('ada');
    const [readers, writers] = [
      await store.groups.insertGroup({ name: 'readers' }),
      await store.groups.insertGroup({ name: 'writers' }),
    ];
    const root = await store.folders.ensureRoot();
    const team = await store.folders.insertFolder({ name: 'team' });
    await store.folders.grant(team.id, readers.id, { canPull: true });
    await store.folders.grant(team.id, writers.id, { canPush: true });
    await store.folders.grant(root.id, writers.id, { canPullExternal: true });
    expect(await store.folders.grantsFor(ada.id)).toEqual([]);
    await store.groups.addMember(readers.id, ada.id);
    await store.groups.addMember(writers.id, ada.id);
    await store.groups.addMember(writers.id, ada.id);
    const none = { canPull: false, canPush: false, canPullExternal: false, canPushExternal: false };
    expect(await store.folders.grantsFor(ada.id)).toEqual([
      { ...none, folder: '__root__', canPullExternal: true },
      { ...none, folder: 'team', canPull: true, canPush: true },
    ]);
    const byGroup = await store.folders.grantsByGroup(ada.id);
    expect(byGroup.map(({ folder, group }) => [folder, group.name])).toEqual([
      ['__root__', 'writers'],
      ['team', 'readers'],
      ['team', 'writers'],
    ]);
    expect(await store.groups.of(ada.id)).toEqual([
      { id: readers.id, name: 'readers' },
      { id: writers.id, name: 'writers' },
    ]);
    await Promise.all(
      [1, 2, 3, 4].map(() => store.folders.grant(team.id, readers.id, { canPull: true })),
    );
    // Flags that a new grant omits are false: it replaces the old one.
    await store.folders.grant(team.id, writers.id, { canPushExternal: true });
    await store.groups.removeMember(readers.id, ada.id);
    expect((await store.folders.grantsFor(ada.id)).at(-1)).toEqual({
      ...none,
      folder: 'team',
      canPushExternal: true,
    });
    await store.folders.revoke(team.id, writers.id);
    await store.groups.remove(writers.id);
    expect(await store.folders.grantsFor(ada.id)).toEqual([]);
  });

  it('a folder is found by its id and its name; the root is made once', async () => {
    const roots = await Promise.all([1, 2, 3].map(() => store.folders.ensureRoot()));
    expect(new Set(roots.map(({ id }) => id)).size).toBe(1);
    const team = await store.folders.insertFolder({ name: 'team', description: 'ours' });
    expect(await store.folders.get(team.id)).toEqual(await store.folders.get('team'));
    expect(await store.folders.names()).toEqual(['__root__', 'team']);
    await expect(store.folders.insertFolder({ name: 'team' })).rejects.toMatchObject({
      code: 'FOLDER_NAME_TAKEN',
    });
    await expect(store.folders.get('nope')).rejects.toMatchObject({ code: 'FOLDER_UNKNOWN' });
    expect(await store.folders.update(team.id, { description: 'new' })).toMatchObject({
      description: 'new',
      grants: [],
    });
    await store.folders.remove(team.id);
    expect(await store.folders.find('team')).toBeNull();
  });

  it('concurrent equal writes are no error', async () => {
    const [ada, group] = [await user('ada'), await store.groups.insertGroup({ name: 'g' })];
    const folder = await store.folders.insertFolder({ name: 'team' });
    const five = [1, 2, 3, 4, 5];
    await Promise.all(five.map(() => store.folders.grant(folder.id, group.id, { canPull: true })));
    await Promise.all(five.map(() => store.groups.addMember(group.id, ada.id)));
    await Promise.all(five.map((value) => store.settings.set('k', value)));
    expect((await store.groups.get(group.id)).members).toEqual([{ id: ada.id, username: 'ada' }]);
  });

  it('unknown groups, folders and accounts are distinguished from taken names', async () => {
    const group = await store.groups.insertGroup({ name: 'g' });
    await expect(store.groups.insertGroup({ name: 'g' })).rejects.toMatchObject({
      code: 'GROUP_NAME_TAKEN',
    });
    await expect(store.groups.addMember(group.id, randomUUID())).rejects.toMatchObject({
      kind: 'not_found',
    });
    await expect(store.folders.grant(randomUUID(), group.id, {})).rejects.toMatchObject({
      kind: 'not_found',
    });
    await expect(store.groups.update(randomUUID(), { name: 'x' })).rejects.toMatchObject({
      code: 'GROUP_UNKNOWN',
    });
  });
});

describe('a saved registry', () => {
  it('keeps its password sealed, and changes it only when a password is given', async () => {
    const { id } = await store.registries.insert({
      name: 'r',
      host: 'r.example',
      username: 'u',
      password: 'hunter2',
    });
    expect(await store.registries.get(id)).toMatchObject({
      hasPassword: true,
      useTls: true,
      ownerName: null,
    });
    expect(JSON.stringify((await sql.query('SELECT * FROM registries')).rows)).not.toContain(
      'hunter2',
    );
    await store.registries.update(id, { name: 'renamed' });
    expect(await store.registries.credentials(id)).toEqual({ username: 'u', password: 'hunter2' });
    await store.registries.update(id, { password: null });
    expect(await store.registries.get(id)).toMatchObject({ name: 'renamed', hasPassword: false });
    expect(await store.registries.credentials(id)).toBeNull();
    const other = openStore(database.url, sealer(Buffer.alloc(32, 8)));
    await store.registries.update(id, { password: 'x' });
    await expect(other.registries.credentials(id)).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
    await other.close();
  });

  it('is visible to its owner, a global one to all', async () => {
    const [ada, bob] = [await user('ada'), await user('bob')];
    await store.registries.insert({ name: 'global', host: 'g' });
    await store.registries.insert({ name: 'own', host: 'o', ownerId: ada.id });
    const names = async (visibleTo?: string) =>
      (await store.registries.list(visibleTo === undefined ? {} : { visibleTo })).map(
        ({ name }) => name,
      );
    expect(await names(ada.id)).toEqual(['global', 'own']);
    expect(await names(bob.id)).toEqual(['global']);
    expect(await names()).toEqual(['global', 'own']);
  });

  it('stores its last check', async () => {
    const { id } = await store.registries.insert({ name: 'r', host: 'r' });
    const check = {
      at: new Date('2026-01-01T00:00:00Z'),
      ok: false,
      code: null,
      message: 'refused',
    };
    await store.registries.checked(id, check);
    expect((await store.registries.get(id)).lastCheck).toEqual(check);
  });
});

describe('settings', () => {
  it('are JSON by key', async () => {
    await store.settings.set('scan', { severities: ['HIGH'], on: true });
    await store.settings.set('scan', { severities: [], on: false });
    await store.settings.set('nothing', null);
    expect(await store.settings.find('scan')).toEqual({ severities: [], on: false });
    expect(await store.settings.find('absent')).toBeNull();
    expect(await store.settings.all()).toEqual({
      scan: { severities: [], on: false },
      nothing: null,
    });
    await store.settings.remove('scan');
    expect(await store.settings.find('scan')).toBeNull();
  });
});

describe('a database that cannot be reached', () => {
  it.each([
    ['by TCP', '127.0.0.1:1'],
    ['by a Unix socket', '%2Fnone'],
  ])('is unavailable %s', async (_, host) => {
    const away = openStore(`postgresql://nobody:x@${host}/none`, sealer(Buffer.alloc(32)));
    const refusal = { kind: 'unavailable', code: 'DATABASE_UNAVAILABLE' };
    await expect(away.ping()).rejects.toMatchObject(refusal);
    await expect(away.users.findByUsername('ada')).rejects.toMatchObject(refusal);
    await expect(away.jobs.begin(randomUUID(), 'pull', 'w')).rejects.toMatchObject(refusal);
    await away.close();
  });

  it('is unavailable when it fails during use, and available again afterwards', async () => {
    const used = openStore(`${database.url}?application_name=cut`, sealer(Buffer.alloc(32)));
    await used.ping();
    const slow = used.jobs.update(randomUUID(), () => null).catch(() => {});
    const cut = await sql.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut'",
    );
    expect(cut.rowCount).toBeGreaterThan(0);
    await slow;
    await used
      .ping()
      .catch((error) => expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE' }));
    await used.ping();
    await used.close();
  });
});

describe('an identity of a provider', () => {
  const ann = { issuer: 'https://id.example.com/', subject: 'ann' };
  const newcomer = (username: string) => ({
    username,
    passwordHash: null,
    authSource: 'oidc' as const,
  });

  it('has one account, found by issuer and subject alone', async () => {
    const made = await store.identities.insertUser(ann, newcomer('ann'));
    expect(await store.identities.findUser(ann)).toEqual(made);
    expect(made).toMatchObject({ authSource: 'oidc', passwordHash: null });
    expect(
      await store.identities.findUser({ ...ann, issuer: 'https://other.example.com/' }),
    ).toBeNull();
    expect(await store.identities.findUser({ ...ann, subject: 'ANN' })).toBeNull();
  });

  it('leaves no account without its binding, also when it arrives twice at once', async () => {
    const twice = await Promise.allSettled(
      ['ann', 'ann-2'].map((name) => store.identities.insertUser(ann, newcomer(name))),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { kind: 'conflict', code: 'IDENTITY_TAKEN' },
    });
    expect((await store.users.list()).total).toBe(1);
  });

  it('never takes the name of a local account', async () => {
    await user('Ann');
    await expect(store.identities.insertUser(ann, newcomer('ann'))).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
    });
    expect(await store.identities.findUser(ann)).toBeNull();
  });

  it('counts as a login method for active admins of that issuer only', async () => {
    const { id } = await store.identities.insertUser(ann, newcomer('ann'));
    await user('root', { isAdmin: true });
    expect(await store.identities.countAdmins(ann.issuer)).toBe(0);
    await store.users.update(id, { isAdmin: true });
    expect(await store.identities.countAdmins(ann.issuer)).toBe(1);
    expect(await store.identities.countAdmins('https://other.example.com/')).toBe(0);
    await store.users.update(id, { disabled: true });
    expect(await store.identities.countAdmins(ann.issuer)).toBe(0);
  });
});

describe('memberships managed by an identity provider', () => {
  const namesOf = async (id: string) => (await store.groups.of(id)).map(({ name }) => name);

  it('are replaced completely, and manual ones are kept', async () => {
    const { id } = await user('ann');
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map((name) => store.groups.insertGroup({ name })),
    );
    await store.groups.addMember(c?.id ?? '', id);
    await store.groups.replaceProvided(id, [a?.id ?? '', c?.id ?? '']);
    expect(await namesOf(id)).toEqual(['a', 'c']);
    await store.groups.replaceProvided(id, [b?.id ?? '', randomUUID()]);
    expect(await namesOf(id)).toEqual(['b', 'c']);
    await store.groups.replaceProvided(id, [b?.id ?? '']);
    await store.groups.addMember(b?.id ?? '', id);
    await store.groups.replaceProvided(id, []);
    expect(await namesOf(id)).toEqual(['b', 'c']);
  });
});
