import jwt from 'jsonwebtoken';
import { expect, it } from 'vitest';
import { createTokens, deriveKey } from './tokens.ts';

const secret = Buffer.alloc(32, 7);
const tokens = createTokens(secret);
const key = deriveKey(secret, 'session tokens');
const good = { typ: 'session', sub: 'u', jti: 's', aud: 'portcullis:api', iss: 'portcullis' };

it('reads what it issued', () => {
  expect(tokens.read(tokens.issue({ userId: 'u', sessionId: 's' }, 60))).toEqual({
    userId: 'u',
    sessionId: 's',
  });
});

it.each<[string, () => string]>([
  ['nonsense', () => 'x.y.z'],
  [
    'another key',
    () => createTokens(Buffer.alloc(32, 8)).issue({ userId: 'u', sessionId: 's' }, 60),
  ],
  ['the key of another purpose', () => jwt.sign(good, deriveKey(secret, 'v2 tokens'))],
  ['another audience', () => jwt.sign({ ...good, aud: 'v2' }, key)],
  ['another type', () => jwt.sign({ ...good, typ: 'registry' }, key)],
  ['another issuer', () => jwt.sign({ ...good, iss: 'x' }, key)],
  ['no session', () => jwt.sign({ ...good, jti: undefined }, key)],
  ['no signature', () => jwt.sign(good, '', { algorithm: 'none' })],
  ['another algorithm', () => jwt.sign(good, key, { algorithm: 'HS512' })],
  ['one that expired', () => tokens.issue({ userId: 'u', sessionId: 's' }, -1)],
])('refuses %s', (_, token) => {
  expect(() => tokens.read(token())).toThrow(expect.objectContaining({ code: 'TOKEN_INVALID' }));
});
