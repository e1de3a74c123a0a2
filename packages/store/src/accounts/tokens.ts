/** Tokens of accounts and robots in PostgreSQL, as hashes. */

import { notFound } from '@portcullis/errors';
import { ago } from '../ago.ts';
import type { Database } from '../database.ts';
import { inTransaction, isId, run, write } from '../database.ts';
import type { PersonalToken as Row } from '../generated/client.ts';
import type { NewPersonalToken, PersonalToken, PersonalTokens } from '../port.ts';
import { scopeColumns, toScope } from './token-limits.ts';

const MISSING: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
/** Precise enough to see whether a token is still used. */
const USE_EVERY_MS = 60_000;

export function createPersonalTokens(db: Database): PersonalTokens {
  async function find(where: { id: string } | { hash: string }): Promise<PersonalToken | null> {
    const row = await run(() => db.personalToken.findUnique({ where }));
    return row && toToken(row);
  }

  return {
    find: async (id) => (isId(id) ? find({ id }) : null),
    findByHash: (hash) => find({ hash }),
    async list(userId) {
      const rows = await run(() =>
        db.personalToken.findMany({
          where: { userId, trustId: null },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
      );
      return rows.map(toToken);
    },
    async insert(token) {
      return toToken(
        await write({ missing: MISSING }, () => db.personalToken.create({ data: columns(token) })),
      );
    },
    async rotate(id, expiresAt, token) {
      const row = await inTransaction(db, async (tx) => {
        const { count } = await tx.personalToken.updateMany({ where: { id }, data: { expiresAt } });
        if (count === 0) throw notFound('TOKEN_UNKNOWN', 'there is no such token');
        return tx.personalToken.create({ data: columns(token) });
      });
      return toToken(row);
    },
    async remove(id) {
      if (!isId(id)) return false;
      return (await run(() => db.personalToken.deleteMany({ where: { id } }))).count > 0;
    },
    removeAll: async (userId) =>
      (await run(() => db.personalToken.deleteMany({ where: { userId } }))).count,
    async used(id, at) {
      const before = new Date(at.getTime() - USE_EVERY_MS);
      const stale = { OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] };
      await run(() =>
        db.personalToken.updateMany({ where: { id, ...stale }, data: { lastUsedAt: at } }),
      );
    },
    removeExpired: (olderThanMs) =>
      run(() => db.$executeRaw`DELETE FROM personal_tokens WHERE expires_at < ${ago(olderThanMs)}`),
  };
}

function columns({ scope, ...token }: NewPersonalToken) {
  return { ...token, ...scopeColumns(scope) };
}

function toToken({ hash: _, limits, scope, ...row }: Row): PersonalToken {
  return { ...row, scope: toScope({ scope, limits }) };
}
