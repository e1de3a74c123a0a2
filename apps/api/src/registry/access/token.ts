/**
 * Tokens of `GET /v2/token` (https://distribution.github.io/distribution/spec/auth/token/). A token
 * allows what both its scopes and the account's present rights allow; it ends with the credential
 * that it was issued for.
 */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { AUTH_KINDS, type AuthKind, type Principal } from '@portcullis/domain';
import { unauthenticated } from '@portcullis/errors';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { Scope } from './scope.ts';

export const TOKEN_SECONDS = 300;
const AUDIENCE = 'v2';
const TYPE = 'v2';

/** A separate key, so that no other token of ours is accepted here, whatever it claims. */
export function deriveV2Key(secretKey: Buffer): KeyObject {
  const key = hkdfSync('sha256', secretKey, '', 'portcullis v2 tokens', 32);
  return createSecretKey(Buffer.from(key));
}

export interface V2Identity {
  userId: string;
  auth: V2Auth;
  scopes: Scope[];
}

/** The credential that the token was issued for; the token ends with it. */
export interface V2Auth {
  auth: AuthKind;
  tokenId?: string;
  /** A later password change invalidates the token. */
  issuedAt: Date;
}

export interface Issued {
  /** A token is valid for one installation, even if two share a key. */
  audience: string;
  access: Scope[];
}

export function issueToken(
  key: KeyObject,
  principal: Principal,
  { audience, access }: Issued,
): string {
  const { id, auth, tokenId } = principal;
  return jwt.sign({ access, auth, ...(tokenId !== undefined && { tid: tokenId }) }, key, {
    algorithm: 'HS256',
    header: { alg: 'HS256', typ: TYPE },
    audience: [AUDIENCE, audience],
    subject: id,
    expiresIn: TOKEN_SECONDS,
  });
}

/** @throws unauthenticated `TOKEN_INVALID` */
export function readToken(key: KeyObject, token: string, audience: string): V2Identity {
  const { header, payload } = verify(key, token);
  const { success, data } = Claims.safeParse(payload);
  if (header.typ !== TYPE || !success || !data.aud.includes(audience)) throw tokenInvalid();
  const { sub, iat, tid, auth, access } = data;
  const vouched = { auth, issuedAt: new Date(iat * 1000) };
  return {
    userId: sub,
    auth: tid === undefined ? vouched : { ...vouched, tokenId: tid },
    scopes: access,
  };
}

const Claims = z.object({
  aud: z.array(z.string()),
  sub: z.string().min(1),
  iat: z.number(),
  tid: z.string().optional(),
  auth: z.enum(AUTH_KINDS),
  access: z.array(Scope),
});

function verify(key: KeyObject, token: string): jwt.Jwt {
  try {
    return jwt.verify(token, key, { algorithms: ['HS256'], audience: AUDIENCE, complete: true });
  } catch (cause) {
    throw tokenInvalid(cause);
  }
}

export function tokenInvalid(cause?: unknown): Error {
  return unauthenticated('TOKEN_INVALID', 'the token is wrong, has expired or was revoked', {
    cause,
  });
}
