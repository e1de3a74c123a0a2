import { conflict } from '@portcullis/errors';
import type { Connection, Database } from './database.ts';
import { isId, must, run, write } from './database.ts';
import type { User as Row } from './generated/client.ts';
import type { NewUser, User, UserChange, Users } from './port.ts';

const TAKEN: [string, string] = ['USERNAME_TAKEN', 'an account of that name exists already'];
const MISSING: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
/** Any number, the same in all processes: admins are counted and made by one transaction at a time. */
const ADMIN_LOCK = 74_726_001;

export function createUsers(db: Database): Users {
  async function find(id: string): Promise<User | null> {
    const row = isId(id) ? await run(() => db.user.findUnique({ where: { id } })) : null;
    return row && toUser(row);
  }

  return {
    find,
    get: async (id) => must(await find(id), ...MISSING),
    async findByUsername(username) {
      const row = await run(() => db.user.findUnique({ where: { usernameKey: keyOf(username) } }));
      return row && toUser(row);
    },
    list: async () => (await run(() => db.user.findMany({ orderBy: { usernameKey: 'asc' } }))).map(toUser),
    insert: (user) => insertUser(db, user),
    update: (id, change) => update(db, id, change),
    remove: (id) => remove(db, id),
    async loggedIn(id, at) {
      await run(() => db.user.updateMany({ where: { id }, data: { lastLoginAt: at } }));
    },
    ensureFirstAdmin: (username, passwordHash) => ensureFirstAdmin(db, username, passwordHash),
  };
}

export async function insertUser(db: Connection, user: NewUser): Promise<User> {
  const data = { ...user, usernameKey: keyOf(user.username) };
  return toUser(await write({ taken: TAKEN }, () => db.user.create({ data })));
}

function update(db: Database, id: string, change: UserChange): Promise<User> {
  return underAdminLock(db, async (tx) => {
    must(isId(id) ? id : null, ...MISSING);
    const row = await write({ missing: MISSING }, () => tx.user.update({ where: { id }, data: change }));
    if (change.isAdmin === false || change.disabled === true) await refuseLastAdmin(tx);
    return toUser(row);
  });
}

function remove(db: Database, id: string): Promise<void> {
  return underAdminLock(db, async (tx) => {
    must(isId(id) ? id : null, ...MISSING);
    await write({ missing: MISSING }, () => tx.user.delete({ where: { id } }));
    await refuseLastAdmin(tx);
  });
}

/** Checked after the write and inside its transaction, so that two admins can't remove each other at once. */
async function refuseLastAdmin(tx: Connection): Promise<void> {
  if ((await tx.user.count({ where: { isAdmin: true, disabled: false } })) > 0) return;
  throw conflict('LAST_ADMIN', 'at least one active admin must stay');
}

function ensureFirstAdmin(
  db: Database,
  username: string,
  passwordHash: string | (() => Promise<string>),
): Promise<User | null> {
  return underAdminLock(db, async (tx) => {
    if ((await tx.user.count()) > 0) return null;
    const hash = typeof passwordHash === 'string' ? passwordHash : await passwordHash();
    return insertUser(tx, { username, passwordHash: hash, isAdmin: true, mustChangePassword: true });
  });
}

function underAdminLock<T>(db: Database, work: (tx: Connection) => Promise<T>): Promise<T> {
  return run(() =>
    db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADMIN_LOCK})`;
      return work(tx);
    }),
  );
}

/** NFKC, so that two spellings that look alike to the eye aren't two accounts. */
function keyOf(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

export function toUser({ usernameKey: _, authSource, ...row }: Row): User {
  return { ...row, authSource: authSource === 'oidc' ? 'oidc' : 'local' };
}
