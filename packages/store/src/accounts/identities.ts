import type { Database } from '../database.ts';
import { run, write } from '../database.ts';
import type { Identities, Identity, NewUser, User } from '../port.ts';
import { insertUser, toUser } from './users.ts';

const TAKEN: [string, string] = ['IDENTITY_TAKEN', 'this identity has an account already'];

export function createIdentities(db: Database): Identities {
  return {
    async findUser({ issuer, subject }) {
      const where = { issuer_subject: { issuer, subject } };
      const row = await run(() => db.oidcIdentity.findUnique({ where, include: { user: true } }));
      return row && toUser(row.user);
    },
    insertUser: (identity, user) => insertBound(db, identity, user),
    async loggedIn({ issuer, subject }, at) {
      await run(() =>
        db.oidcIdentity.updateMany({ where: { issuer, subject }, data: { lastLoginAt: at } }),
      );
    },
    countAdmins: (issuer) =>
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
