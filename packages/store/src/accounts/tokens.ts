/** Tokens of accounts and robots in PostgreSQL, as hashes. */

import { notFound } from '@portcullis/errors';
import { ago } from '../ago.ts';
import type { Database } from '../database.ts';
import { inTransaction, isId, run, write } from '../database.ts';
import type { PersonalToken as Row } from '../generated/client.ts';
import type { NewPersonalToken, PersonalToken } from './records.ts';
import { scopeColumns, toScope } from './token-limits.ts';

const MISSING: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
/** Precise enough to see whether a token is still used. */
const USE_EVERY_MS = 60_000;

export function createPersonalTokens(db: Database) {
  async function find(where: { id: string } | { hash: string }): Promise<PersonalToken | null> {
    const row = await run(() => db.personalToken.findUnique({ where }));
    return row && toToken(row);
  }

  return {
    /** Also returns expired tokens: check `expiresAt`. */
    find: async (id: string): Promise<PersonalToken | null> => (isId(id) ? find({ id }) : null),
    /** One indexed look-up; also returns expired tokens. */
    findByHash: (hash: string) => find({ hash }),
    /** The tokens of an account that accounts created, newest first. */
    async list(userId: string): Promise<PersonalToken[]> {
      const rows = await run(() =>
        db.personalToken.findMany({
          where: { userId, trustId: null },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
      );
      return rows.map(toToken);
    },
    async insert(token: NewPersonalToken): Promise<PersonalToken> {
      return toToken(
        await write({ missing: MISSING }, () => db.personalToken.create({ data: columns(token) })),
      );
    },
    /** Replaces a token: inserts the new one and sets when the former ends, in one transaction. */
    async rotate(id: string, expiresAt: Date, token: NewPersonalToken): Promise<PersonalToken> {
      const row = await inTransaction(db, async (tx) => {
        const { count } = await tx.personalToken.updateMany({ where: { id }, data: { expiresAt } });
        if (count === 0) throw notFound('TOKEN_UNKNOWN', 'there is no such token');
        return tx.personalToken.create({ data: columns(token) });
      });
      return toToken(row);
    },
    /** Returns true where the token existed. */
    async remove(id: string): Promise<boolean> {
      if (!isId(id)) return false;
      return (await run(() => db.personalToken.deleteMany({ where: { id } }))).count > 0;
    },
    /** Removes all tokens of an account and returns their number. */
    removeAll: async (userId: string): Promise<number> =>
      (await run(() => db.personalToken.deleteMany({ where: { userId } }))).count,
    /** Records the last use, at most once a minute. */
    async used(id: string, at: Date): Promise<void> {
      const before = new Date(at.getTime() - USE_EVERY_MS);
      const stale = { OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] };
      await run(() =>
        db.personalToken.updateMany({ where: { id, ...stale }, data: { lastUsedAt: at } }),
      );
    },
    /** Those that expired so long ago. */
    removeExpired: (olderThanMs: number): Promise<number> =>
      run(() => db.$executeRaw`DELETE FROM personal_tokens WHERE expires_at < ${ago(olderThanMs)}`),
  };
}

function columns({ scope, ...token }: NewPersonalToken) {
  return { ...token, ...scopeColumns(scope) };
}

function toToken({ hash: _, limits, scope, ...row }: Row): PersonalToken {
  return { ...row, scope: toScope({ scope, limits }) };
}
