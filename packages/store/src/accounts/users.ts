/** Stores accounts. */
import { conflict } from '@portcullis/errors';
import type { Connection, Database } from '../database.ts';
import { isId, must, run, write } from '../database.ts';
import type { User as Row } from '../generated/client.ts';
import { contains } from '../like.ts';
import type { Page } from '../page.ts';
import { pageSize } from '../page.ts';
import { accountsAfter, accountsBy, cursorAfter } from './account-order.ts';
import { contactsOf } from './contacts.ts';
import type { NewUser, User, UserChange, UserFilter } from './records.ts';

const TAKEN: [string, string] = ['USERNAME_TAKEN', 'an account of that name exists already'];
const MISSING: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
/**
 * Key of the advisory lock under which admins are counted and created; the same in all processes.
 */
const ADMIN_LOCK = 74_726_001;

export function createUsers(db: Database) {
  async function find(id: string): Promise<User | null> {
    const row = isId(id) ? await run(() => db.user.findUnique({ where: { id } })) : null;
    return row && toUser(row);
  }

  return {
    find,
    get: async (id: string): Promise<User> => must(await find(id), ...MISSING),
    /** The usernames of these accounts, by id; none of removed ones. */
    async names(ids: readonly string[]): Promise<Map<string, string>> {
      const where = { id: { in: [...new Set(ids)].filter(isId) } };
      const select = { id: true, username: true };
      const rows = await run(() => db.user.findMany({ where, select }));
      return new Map(rows.map(({ id, username }) => [id, username]));
    },
    /** Case-insensitive. */
    async findByUsername(username: string): Promise<User | null> {
      const row = await run(() => db.user.findUnique({ where: { usernameKey: keyOf(username) } }));
      return row && toUser(row);
    },
    /** People; robots are in another list. */
    list: (filter: UserFilter = {}) => list(db, filter),
    /**
     * Whom the account asks; with a folder, who reviews the waivers of that folder; with null only
     * administrators.
     */
    findContacts: (accountId: string, folder: string | null | undefined) =>
      contactsOf(db, accountId, folder),
    /** @throws conflict `USERNAME_TAKEN` */
    insert: (user: NewUser) => insertUser(db, user),
    /** @throws conflict `LAST_ADMIN` when no active admin would remain */
    update: (id: string, change: UserChange) => update(db, id, change),
    remove: (id: string) => remove(db, id),
    async loggedIn(id: string, at: Date): Promise<void> {
      await run(() => db.user.updateMany({ where: { id }, data: { lastLoginAt: at } }));
    },
    /**
     * Creates the first admin; returns null, without calling `make`, where any account exists. Safe
     * when several processes start at once.
     */
    ensureFirstAdmin: (
      username: string,
      make: () => Promise<{ passwordHash: string; mustChangePassword: boolean }>,
    ) => ensureFirstAdmin(db, username, make),
  };
}

async function list(db: Database, filter: UserFilter): Promise<Page<User>> {
  const { q, limit, cursor, order = 'username' } = filter;
  const like = q && contains(q);
  const people = { authSource: { not: 'robot' } };
  const where = like ? { ...people, OR: [{ username: like }, { email: like }] } : people;
  const size = pageSize(limit);
  const statement = {
    where: { AND: [where, accountsAfter(order, cursor)] },
    orderBy: accountsBy(order),
    take: size + 1,
  };
  const [rows, total] = await run(() =>
    Promise.all([db.user.findMany(statement), db.user.count({ where })]),
  );
  const last = rows.length > size ? rows[size - 1] : undefined;
  const nextCursor = last ? cursorAfter(order, last) : null;
  return { items: rows.slice(0, size).map(toUser), nextCursor, total };
}

export async function insertUser(db: Connection, user: NewUser): Promise<User> {
  const data = { ...user, usernameKey: keyOf(user.username) };
  return toUser(await write({ taken: TAKEN }, () => db.user.create({ data })));
}

function update(db: Database, id: string, change: UserChange): Promise<User> {
  return underAdminLock(db, async (tx) => {
    must(isId(id) ? id : null, ...MISSING);
    const row = await write({ missing: MISSING }, () =>
      tx.user.update({ where: { id }, data: change }),
    );
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

/**
 * Checked after the write and in its transaction, so that two admins cannot remove each other
 * concurrently.
 */
async function refuseLastAdmin(tx: Connection): Promise<void> {
  if ((await tx.user.count({ where: { isAdmin: true, disabled: false } })) > 0) return;
  throw conflict('LAST_ADMIN', 'at least one active admin must remain');
}

function ensureFirstAdmin(
  db: Database,
  username: string,
  make: () => Promise<{ passwordHash: string; mustChangePassword: boolean }>,
): Promise<User | null> {
  return underAdminLock(db, async (tx) => {
    if ((await tx.user.count()) > 0) return null;
    return insertUser(tx, { username, isAdmin: true, ...(await make()) });
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

/** NFKC, so that two spellings that look the same are one account. */
export function keyOf(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

export function toUser({ usernameKey: _, authSource, ...row }: Row): User {
  const known = authSource === 'oidc' || authSource === 'robot';
  return { ...row, authSource: known ? authSource : 'local' };
}
