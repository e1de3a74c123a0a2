import { randomBytes } from 'node:crypto';
import type { FolderGrant, Principal } from '@portcullis/domain';
import jwt from 'jsonwebtoken';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTokens } from '../../identity/tokens.ts';
import { parseScopes } from './scope.ts';
import { deriveV2Key, issueToken, readToken } from './token.ts';

const secret = randomBytes(32);
const key = deriveV2Key(secret);
const grant: FolderGrant = {
  folder: 'team',
  canPull: true,
  canPush: false,
  canPullExternal: false,
  canPushExternal: false,
};
const reader: Principal = {
  id: 'u1',
  username: 'reader',
  isAdmin: false,
  canBypassVulnBlock: false,
  auth: 'token',
  tokenId: 't1',
  grants: [grant],
};

describe('a /v2 token', () => {
  const NOW = '2026-11-28T12:00:00.000Z';
  const OURS = 'images.example.com';
  const access = parseScopes(['repository:team/a:pull,push registry:catalog:*']);
  const issue = () => issueToken(key, reader, { audience: OURS, access });

  it('names the account, the credential behind it, and its scopes', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
    onTestFinished(() => void vi.useRealTimers());
    const { userId, auth, scopes } = readToken(key, issue(), OURS);
    expect(userId).toBe('u1');
    expect(scopes).toEqual(access);
    expect(auth).toMatchObject({ auth: 'token', tokenId: 't1' });
    expect(auth.issuedAt).toEqual(new Date(NOW));
  });

  it('G3: is for one installation, even if two share a key', () => {
    expect(() => readToken(key, issue(), 'other.example.com')).toThrow(
      expect.objectContaining({ code: 'TOKEN_INVALID' }),
    );
  });

  const claims = { auth: 'token', access: [] };
  const good = {
    algorithm: 'HS256',
    audience: ['v2', OURS],
    subject: 'u1',
    header: { alg: 'HS256', typ: 'v2' },
  } satisfies jwt.SignOptions;
  it.each([
    ['a session token', createTokens(secret).issue({ userId: 'u1', sessionId: 's' }, 60)],
    ['one signed with the secret key itself', jwt.sign(claims, secret, good)],
    ['another audience', jwt.sign(claims, key, { ...good, audience: ['api', OURS] })],
    ['another type', jwt.sign(claims, key, { ...good, header: { alg: 'HS256', typ: 'JWT' } })],
    [
      'another algorithm',
      jwt.sign(claims, key, { ...good, algorithm: 'HS512', header: { alg: 'HS512', typ: 'v2' } }),
    ],
    [
      'no algorithm',
      jwt.sign(claims, null, { ...good, algorithm: 'none', header: { alg: 'none', typ: 'v2' } }),
    ],
    ['an expired one', jwt.sign(claims, key, { ...good, expiresIn: -1 })],
    ['an unknown kind of credential', jwt.sign({ ...claims, auth: 'king' }, key, good)],
    ['no scopes', jwt.sign({ auth: 'token' }, key, good)],
    ['scopes of another kind', jwt.sign({ ...claims, access: ['*'] }, key, good)],
    ['no installation', jwt.sign(claims, key, { ...good, audience: 'v2' })],
    ['nonsense', 'a.b.c'],
  ])('is not %s', (_, token) => {
    expect(() => readToken(key, token, OURS)).toThrow(
      expect.objectContaining({ code: 'TOKEN_INVALID' }),
    );
  });

  it('is no session token', () => {
    const sessions = createTokens(secret);
    expect(() => sessions.read(issue())).toThrow();
  });
});
