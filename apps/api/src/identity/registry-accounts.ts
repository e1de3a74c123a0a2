/**
 * Authenticates `/v2` requests by password, token, a CI system's identity token, or a token issued
 * for one of these.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import type { AuthKind, Principal } from '@portcullis/domain';
import { forbidden, isAppError } from '@portcullis/errors';
import type { User } from '@portcullis/store';
import { LRUCache } from 'lru-cache';
import type { IdentityExchange } from './keyless/exchange.ts';
import { isCompactToken } from './keyless/identity-token.ts';
import type { CheckPassword } from './password-check.ts';
import type { PasswordRule } from './password-rule.ts';
import { isPersonalToken, type PersonalTokenService } from './personal-tokens.ts';
import { type GrantedAccount, type Principals, principalOf } from './principals.ts';

export interface RegistryAccountPorts {
  principals: Pick<Principals, 'account'>;
  tokens: PersonalTokenService;
  identities: Pick<IdentityExchange, 'tokenIdOf'>;
  checkPassword: CheckPassword;
  /** Checked on every request: a change of the rule acts on cached credentials, too. */
  passwordRule: PasswordRule;
  /** Keys the hashes of cached credentials. */
  key: Buffer;
}

export interface RegistryAccounts {
  /**
   * Null for an unknown account, a wrong password or a disabled account.
   * @throws rate_limited, or forbidden `PASSWORD_CHANGE_REQUIRED`
   */
  authenticateBasic(
    username: string,
    password: string,
    clientIp: string,
  ): Promise<Principal | null>;
  /**
   * Null once the account is gone or disabled, or the credential behind the token is no longer
   * valid.
   */
  principalById(
    userId: string,
    voucher: { auth: AuthKind; tokenId?: string },
  ): Promise<Principal | null>;
}

/** `docker login --username oidc`, with an identity token as the password. */
const KEYLESS_USERNAME = 'oidc';
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export function createRegistryAccounts(ports: RegistryAccountPorts): RegistryAccounts {
  const { principals, tokens, identities, checkPassword, passwordRule } = ports;
  // Made once: Node takes longer to import a buffer than to hash with it.
  const key = createSecretKey(ports.key);
  const vouchers = new WeakMap<User, string>();
  /** A minute from the check, not from the last use. */
  const remembered = new LRUCache<string, { userId: string; voucher: string }>({
    max: MOST_REMEMBERED,
    ttl: REMEMBERED_MS,
  });

  async function authenticateBasic(
    username: string,
    password: string,
    clientIp: string,
  ): Promise<Principal | null> {
    if (isPersonalToken(password)) return byToken(username, password, clientIp);
    if (username === KEYLESS_USERNAME && isCompactToken(password))
      return tokens.byId(await identities.tokenIdOf(password, clientIp), 'registry');
    const mark = digest(`credential\0${username}\0${password}`);
    const account =
      (await recall(mark)) ?? (await checkAndRemember(mark, { username, password, clientIp }));
    if (!account) return null;
    if (account.user.mustChangePassword) throw changeRequired();
    return principalOf(account, { auth: 'basic', tokenId: voucherOf(account.user) });
  }

  /** A token with another account's name beside it is refused: it may be stolen. */
  async function byToken(
    username: string,
    token: string,
    clientIp: string,
  ): Promise<Principal | null> {
    const principal = await tokens.principalOf(token, 'registry', clientIp);
    if (!principal || nameKey(principal.username) !== nameKey(username)) return null;
    if (principal.mustChangePassword) throw changeRequired();
    return principal;
  }

  async function principalById(
    userId: string,
    { auth, tokenId }: { auth: AuthKind; tokenId?: string },
  ): Promise<Principal | null> {
    if (tokenId === undefined) return null;
    if (auth === 'token') {
      const principal = await tokens.byId(tokenId, 'registry');
      return principal?.id === userId && !principal.mustChangePassword ? principal : null;
    }
    const account = await principals.account(userId);
    if (!account || account.user.mustChangePassword || tokenId !== voucherOf(account.user))
      return null;
    if (!(await passwordRule.allows(account.user))) return null;
    return principalOf(account, { auth, tokenId });
  }

  /** Ignores entries of disabled accounts and changed passwords. */
  async function recall(mark: string): Promise<GrantedAccount | null> {
    const entry = remembered.get(mark);
    const account = entry ? await principals.account(entry.userId) : null;
    if (!account || voucherOf(account.user) !== entry?.voucher) return null;
    return (await passwordRule.allows(account.user)) ? account : null;
  }

  async function checkAndRemember(
    mark: string,
    attempted: Parameters<CheckPassword>[0],
  ): Promise<GrantedAccount | null> {
    const user = await checkPassword(attempted).catch(nullIfUnauthenticated);
    if (!user) return null;
    remembered.set(mark, { userId: user.id, voucher: voucherOf(user) });
    return recall(mark);
  }

  /** Identifies the present password: what was issued under another one is void. */
  function voucherOf(user: User): string {
    const known = vouchers.get(user);
    if (known !== undefined) return known;
    const voucher = `password:${digest(`password\0${user.passwordHash ?? ''}`).slice(0, 16)}`;
    vouchers.set(user, voucher);
    return voucher;
  }

  function digest(text: string): string {
    return createHmac('sha256', key).update(text).digest('base64url');
  }

  return { authenticateBasic, principalById };
}

function nullIfUnauthenticated(error: unknown): null {
  if (isAppError(error) && (error.kind === 'unauthenticated' || error.kind === 'forbidden'))
    return null;
  throw error;
}

function nameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

function changeRequired(): Error {
  return forbidden('PASSWORD_CHANGE_REQUIRED', 'change your password in the web page first');
}
