/** Personal tokens of accounts. */
import { type Principal, type TokenScope, unlimitedScopeName } from '@portcullis/domain';
import { conflict, forbidden, notFound } from '@portcullis/errors';
import type { PersonalToken, Store } from '@portcullis/store';
import { makeToken, type TokenKind } from '../../identity/personal-tokens.ts';

const DAY_MS = 86_400_000;
const MOST_OF_ACCOUNT = 50;

export interface TokenOrder {
  name: string;
  scope: TokenScope;
  days: number;
}

export function createTokensService({ tokens }: Pick<Store, 'tokens'>) {
  const list = (principal: Principal): Promise<PersonalToken[]> => tokens.list(principal.id);

  /** The token is in this reply only. */
  async function create(principal: Principal, { name, scope, days }: TokenOrder) {
    assertSession(principal);
    if ((await tokens.list(principal.id)).length >= MOST_OF_ACCOUNT)
      throw conflict(
        'TOKENS_MANY',
        `An account has ${MOST_OF_ACCOUNT} personal tokens at most; revoke some.`,
      );
    const { token, hash, hint } = makeToken(kindOf(scope));
    const order = { userId: principal.id, name, scope, hint, hash, expiresAt: inDays(days) };
    return { made: await tokens.insert(order), token };
  }

  /** @throws not_found also for tokens of other accounts */
  async function remove(principal: Principal, id: string): Promise<PersonalToken> {
    const token = await tokens.find(id);
    if (
      !token ||
      (token.userId !== principal.id && !principal.isAdmin) ||
      !(await tokens.remove(id))
    )
      throw notFound('TOKEN_UNKNOWN', 'There is no token with this id.');
    return token;
  }

  return { list, create, remove };
}
export type TokensService = ReturnType<typeof createTokensService>;

/** Releases before limited scopes know the unlimited ones only. */
function kindOf(scope: TokenScope): TokenKind {
  return unlimitedScopeName(scope) === null ? 'limited' : 'personal';
}

/** What a leaked token leaves behind must not act after its expiry and revocation. */
export function assertSession({ auth }: Principal, made = 'tokens'): void {
  if (auth === 'token')
    throw forbidden(
      'SESSION_REQUIRED',
      `A token may not create or change ${made}; log in, and use the session.`,
    );
}

export function inDays(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}
