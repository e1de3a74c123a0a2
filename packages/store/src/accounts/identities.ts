/** Stores which identity of a provider belongs to which account. */
import type { Database } from '../database.ts';
import { run, write } from '../database.ts';
import type { Identity, NewUser, User } from './records.ts';
import { insertUser, toUser } from './users.ts';

const TAKEN: [string, string] = ['IDENTITY_TAKEN', 'this identity has an account already'];

export function createIdentities(db: Database) {
  return {
    /** The account bound to the identity. */
    async findUser({ issuer, subject }: Identity): Promise<User | null> {
      const where = { issuer_subject: { issuer, subject } };
      const row = await run(() => db.oidcIdentity.findUnique({ where, include: { user: true } }));
      return row && toUser(row.user);
    },
    /**
     * Inserts an account and its binding in one transaction. @throws conflict `USERNAME_TAKEN`,
     * `IDENTITY_TAKEN`
     */
    insertUser: (identity: Identity, user: NewUser) => insertBound(db, identity, user),
    async loggedIn({ issuer, subject }: Identity, at: Date): Promise<void> {
      await run(() =>
        db.oidcIdentity.updateMany({ where: { issuer, subject }, data: { lastLoginAt: at } }),
      );
    },
    /** Number of active admins that can log in by this issuer. */
    countAdmins: (issuer: string): Promise<number> =>
      run(() =>
        db.user.count({
          where: { isAdmin: true, disabled: false, identities: { some: { issuer } } },
        }),
      ),
  };
}

function insertBound(db: Database, { issuer, subject }: Identity, user: NewUser): Promise<User> {
  return run(() =>
    db.$transaction(async (tx) => {
      const made = await insertUser(tx, user);
      const data = { issuer, subject, userId: made.id };
      await write({ taken: TAKEN }, () => tx.oidcIdentity.create({ data }));
      return made;
    }),
  );
}
