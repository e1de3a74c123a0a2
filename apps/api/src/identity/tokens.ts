/** Signs and verifies session tokens; a token is valid only while its session's row exists. */
import { hkdfSync } from 'node:crypto';
import { unauthenticated } from '@portcullis/errors';
import jwt from 'jsonwebtoken';

interface Claims {
  userId: string;
  sessionId: string;
}

export interface Tokens {
  issue(claims: Claims, seconds: number): string;
  /** @throws unauthenticated `TOKEN_INVALID` */
  read(token: string): Claims;
}

const ISSUER = 'portcullis';
/** For the REST API. Tokens of `/v2` have another audience, type and key. */
const AUDIENCE = 'portcullis:api';
const TYPE = 'session';

export function createTokens(secretKey: Buffer): Tokens {
  const key = deriveKey(secretKey, 'session tokens');
  return {
    issue: ({ userId, sessionId }, seconds) =>
      jwt.sign({ typ: TYPE }, key, {
        algorithm: 'HS256',
        issuer: ISSUER,
        audience: AUDIENCE,
        subject: userId,
        jwtid: sessionId,
        expiresIn: seconds,
      }),
    read(token) {
      const payload = verify(token, key);
      if (payload?.typ !== TYPE || !payload.sub || !payload.jti) throw tokenInvalid();
      return { userId: payload.sub, sessionId: payload.jti };
    },
  };
}

function verify(token: string, key: Buffer): jwt.JwtPayload | null {
  try {
    const payload = jwt.verify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
    });
    return typeof payload === 'string' ? null : payload;
  } catch (cause) {
    throw tokenInvalid(cause);
  }
}

export function tokenInvalid(cause?: unknown): Error {
  return unauthenticated('TOKEN_INVALID', 'The token is wrong, has expired or was revoked.', {
    cause,
  });
}

/** Derives one key per purpose, so that a signature is never valid for another purpose. */
export function deriveKey(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `portcullis ${purpose}`, 32));
}
