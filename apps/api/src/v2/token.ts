/**
 * Tokens of `GET /v2/token` (https://distribution.github.io/distribution/spec/auth/token/). A token says who its bearer
 * is and nothing else is believed of it: grants are asked again on each request, and so is whatever vouched for it.
 */
import { hkdfSync } from 'node:crypto';
import { AUTH_KINDS, type AuthKind, type Principal } from '@portcullis/domain';
import { unauthenticated } from '@portcullis/errors';
import { isRepository } from '@portcullis/oci';
import jwt from 'jsonwebtoken';
import { type Asker, mayDo, type V2Action } from './authorize.ts';

export const TOKEN_SECONDS = 300;
const AUDIENCE = 'v2';
const TYPE = 'v2';

/** A key of its own, so that no other token of ours can be one of these, whatever it claims. */
export function deriveV2Key(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'portcullis v2 tokens', 32));
}

export interface Scope {
  type: 'repository';
  name: string;
  actions: V2Action[];
}

export interface V2Identity {
  userId: string;
  auth: V2Auth;
}

/** What vouched for the token when it was issued; a token is dead when that is. */
export interface V2Auth {
  auth: AuthKind;
  tokenId?: string;
  /** A password changed after this time ends it. */
  issuedAt: Date;
}

export function issueToken(key: Buffer, principal: Principal, access: Scope[]): string {
  const { id, auth, tokenId } = principal;
  return jwt.sign({ access, auth, ...(tokenId !== undefined && { tid: tokenId }) }, key, {
    algorithm: 'HS256',
    header: { alg: 'HS256', typ: TYPE },
    audience: AUDIENCE,
    subject: id,
    expiresIn: TOKEN_SECONDS,
  });
}

/** @throws unauthenticated `TOKEN_INVALID` */
export function readToken(key: Buffer, token: string): V2Identity {
  const { header, payload } = verified(key, token);
  if (header.typ !== TYPE || typeof payload === 'string') throw tokenInvalid();
  const { sub, iat, tid, auth: vouched } = payload;
  const auth = AUTH_KINDS.find((kind) => kind === vouched);
  if (!sub || iat === undefined || !auth) throw tokenInvalid();
  const identity = { auth, issuedAt: new Date(iat * 1000) };
  return { userId: sub, auth: typeof tid === 'string' ? { ...identity, tokenId: tid } : identity };
}

function verified(key: Buffer, token: string): jwt.Jwt {
  try {
    return jwt.verify(token, key, { algorithms: ['HS256'], audience: AUDIENCE, complete: true });
  } catch (cause) {
    throw tokenInvalid(cause);
  }
}

export function tokenInvalid(cause?: unknown): Error {
  return unauthenticated('TOKEN_INVALID', 'the token is not valid, or not any more', { cause });
}

const ACTIONS: readonly V2Action[] = ['pull', 'push', 'delete'];
const MAX_SCOPES = 50;

/**
 * `repository:name:pull,push`, several parted by a space or in parameters of their own. What we don't know is left out,
 * as the token specification asks. A registry's own host before the name would be another resource: no colon in it.
 */
export function parseScopes(values: string[]): Scope[] {
  const words = values.flatMap((value) => value.split(' ')).slice(0, MAX_SCOPES);
  return words.map(parseScope).filter((scope) => scope !== null);
}

function parseScope(word: string): Scope | null {
  const [type, name = '', asked = '', ...more] = word.split(':');
  if (type !== 'repository' || more.length > 0 || !isRepository(name)) return null;
  const given = asked.split(',');
  return { type, name, actions: ACTIONS.filter((action) => given.includes(action) || given.includes('*')) };
}

/** Asked ∩ allowed. */
export function grantedOf(asker: Asker, scopes: Scope[]): Scope[] {
  return scopes
    .map((scope) => ({
      ...scope,
      actions: scope.actions.filter((action) => mayDo(asker, action, scope.name).allowed),
    }))
    .filter(({ actions }) => actions.length > 0);
}
