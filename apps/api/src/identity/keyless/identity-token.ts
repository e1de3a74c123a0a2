/**
 * Verification of identity tokens (OpenID Connect Core 1.0 § 3.1.3.7, RFC 8725): the signature by
 * the issuer's key, the issuer and the times. Audience and claims are compared by trust rules.
 */
import { createHash } from 'node:crypto';
import { type IdentityClaims, MOST_IDENTITY_MINUTES } from '@portcullis/domain';
import { isAppError, unauthenticated } from '@portcullis/errors';
import { decodeJwt, errors, jwtVerify } from 'jose';
import { type Issuer, type IssuerKeys, issuerUnavailable } from './issuer-keys.ts';

export interface VerifiedIdentity {
  claims: IdentityClaims;
  expiresAt: Date;
  /** Identifies the signed text, so that a replay is noticed whatever the signature's form. */
  mark: string;
}

const FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Whether the text has the compact form of a signed token (RFC 7515 § 3.1). */
export function isCompactToken(text: string): boolean {
  return FORM.test(text);
}

/** No control characters: the database can't store NUL. */
const ISSUER = /^[\x21-\x7e]{1,1000}$/;

/** The issuer that the token claims, which is not verified; null where it claims no usable one. */
export function claimedIssuer(token: string): string | null {
  const issuer: unknown = claimsUnverified(token)?.iss;
  return typeof issuer === 'string' && ISSUER.test(issuer) ? issuer : null;
}

export function claimsUnverified(token: string) {
  try {
    return isCompactToken(token) ? decodeJwt(token) : null;
  } catch {
    return null;
  }
}

const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];
/** Between the clocks of the issuer and of this machine. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * @throws unauthenticated `IDENTITY_TOKEN_INVALID`, `IDENTITY_TOKEN_EXPIRED`, unavailable
 * `ISSUER_UNAVAILABLE`
 */
export async function verifyIdentity(
  token: string,
  issuer: Issuer,
  { keysOf, now }: { keysOf: IssuerKeys; now: Date },
): Promise<VerifiedIdentity> {
  if (!isCompactToken(token)) throw tokenInvalid();
  const keys = await keysOf(issuer);
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: issuer.issuer,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
      maxTokenAge: MOST_IDENTITY_MINUTES * 60,
      currentDate: now,
    });
    return {
      claims: payload,
      expiresAt: new Date((payload.exp ?? 0) * 1000),
      mark: markOf(token),
    };
  } catch (cause) {
    throw faultOf(cause);
  }
}

/** ECDSA signatures have two valid forms, so the mark leaves the signature out. */
function markOf(token: string): string {
  return createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url');
}

function faultOf(cause: unknown): Error {
  if (cause instanceof errors.JWTExpired)
    return unauthenticated('IDENTITY_TOKEN_EXPIRED', 'The identity token has expired.', { cause });
  if (isAppError(cause) || isFetchFailure(cause)) return issuerUnavailable(cause);
  return tokenInvalid(cause);
}

function isFetchFailure(cause: unknown): boolean {
  return (
    cause instanceof errors.JWKSTimeout ||
    cause instanceof errors.JWKSInvalid ||
    (cause instanceof errors.JOSEError && cause.code === 'ERR_JOSE_GENERIC')
  );
}

export function tokenInvalid(cause?: unknown): Error {
  return unauthenticated(
    'IDENTITY_TOKEN_INVALID',
    'The identity token is not valid: its form, signature, issuer or times.',
    { cause },
  );
}
