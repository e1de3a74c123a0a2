/**
 * Authenticates `/v2` requests by Basic credential or a token of `/v2/token`; cookies and REST
 * tokens are ignored.
 */
import type { KeyObject } from 'node:crypto';
import type { Principal } from '@portcullis/domain';
import { invalid, unauthenticated } from '@portcullis/errors';
import type { Scopes } from './scope.ts';
import { readToken, tokenInvalid, type V2Auth } from './token.ts';

export interface V2Accounts {
  /**
   * Accepts an account's password or a personal token of scope `docker`; null for anything else.
   * @throws rate_limited after too many wrong passwords
   */
  authenticateBasic(
    username: string,
    password: string,
    clientIp: string,
  ): Promise<Principal | null>;
  /**
   * The principal with its present rights; null once the account or the credential behind the token
   * is gone.
   */
  principalById(userId: string, auth: V2Auth): Promise<Principal | null>;
}

export type V2Credential =
  | { kind: 'basic'; username: string; password: string }
  | { kind: 'bearer'; token: string };

const SCHEME = /^(basic|bearer) +([A-Za-z0-9\-._~+/]+=*)$/i;
const MAX_HEADER = 8192;

/** @throws invalid `CREDENTIAL_INVALID` */
export function credentialOf(header: string | undefined): V2Credential | null {
  if (header === undefined) return null;
  const [, scheme, value] = (header.length <= MAX_HEADER && SCHEME.exec(header.trim())) || [];
  if (value === undefined)
    throw credentialInvalid('the Authorization header is neither Basic nor Bearer');
  if (scheme?.toLowerCase() === 'bearer') return { kind: 'bearer', token: value };
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) throw credentialInvalid('a Basic credential is a name and a password');
  return { kind: 'basic', username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function credentialInvalid(why: string): Error {
  return invalid('CREDENTIAL_INVALID', why);
}

export interface Presented {
  accounts: V2Accounts;
  tokenKey: KeyObject;
  audience: string;
  authorization: string | undefined;
  clientIp: string;
  /** A token cannot be exchanged for a new one, which would never expire. */
  basicOnly: boolean;
}

export interface Authenticated {
  principal: Principal;
  scopes: Scopes;
}

/** @throws unauthenticated */
export async function authenticate(presented: Presented): Promise<Authenticated> {
  const credential = credentialOf(presented.authorization);
  if (!credential) throw unauthenticated('UNAUTHORIZED', 'authentication required');
  if (credential.kind === 'basic') return byPassword(credential, presented);
  if (presented.basicOnly) throw tokenInvalid();
  return byToken(credential.token, presented);
}

async function byPassword(
  { username, password }: Extract<V2Credential, { kind: 'basic' }>,
  { accounts, clientIp }: Presented,
): Promise<Authenticated> {
  const principal = await accounts.authenticateBasic(username, password, clientIp);
  if (!principal) throw unauthenticated('UNAUTHORIZED', 'the name or the password is wrong');
  return { principal, scopes: null };
}

async function byToken(
  token: string,
  { accounts, tokenKey, audience }: Presented,
): Promise<Authenticated> {
  const { userId, auth, scopes } = readToken(tokenKey, token, audience);
  const principal = await accounts.principalById(userId, auth);
  if (!principal) throw tokenInvalid();
  return { principal, scopes };
}
