import { randomBytes } from 'node:crypto';
import type { FolderGrant, Principal } from '@portcullis/domain';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { createTokens } from '../auth/tokens.ts';
import { deriveV2Key, grantedOf, issueToken, parseScopes, readToken } from './token.ts';

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

describe('access rule 9: a /v2 token', () => {
  it('says who asks and what vouched for it', () => {
    const { userId, auth } = readToken(key, issueToken(key, reader, []));
    expect(userId).toBe('u1');
    expect(auth).toMatchObject({ auth: 'token', tokenId: 't1' });
    expect(Date.now() - auth.issuedAt.getTime()).toBeLessThan(5000);
  });

  const claims = { auth: 'token' };
  const good = {
    algorithm: 'HS256',
    audience: 'v2',
    subject: 'u1',
    header: { alg: 'HS256', typ: 'v2' },
  } as const;
  it.each([
    ['a session token', createTokens(secret).issue({ userId: 'u1', sessionId: 's' }, 60)],
    ['one signed with the secret key itself', jwt.sign(claims, secret, good)],
    ['another audience', jwt.sign(claims, key, { ...good, audience: 'api' })],
    ['another type', jwt.sign(claims, key, { ...good, header: { alg: 'HS256', typ: 'JWT' } })],
    [
      'another algorithm',
      jwt.sign(claims, key, { ...good, algorithm: 'HS512', header: { alg: 'HS512', typ: 'v2' } }),
    ],
    [
      'no algorithm',
      jwt.sign(claims, null, { ...good, algorithm: 'none', header: { alg: 'none', typ: 'v2' } }),
    ],
    ['one that ran out', jwt.sign(claims, key, { ...good, expiresIn: -1 })],
    ['an unknown kind of vouching', jwt.sign({ auth: 'king' }, key, good)],
    ['nonsense', 'a.b.c'],
  ])('is not %s', (_, token) => {
    expect(() => readToken(key, token)).toThrow(expect.objectContaining({ code: 'TOKEN_INVALID' }));
  });

  it('is no session token', () => {
    const sessions = createTokens(secret);
    expect(() => sessions.read(issueToken(key, reader, []))).toThrow();
  });
});

describe('scopes', () => {
  it.each([
    [['repository:a/b:pull,push'], [['a/b', ['pull', 'push']]]],
    [
      ['repository:a:pull repository:b:pull'],
      [
        ['a', ['pull']],
        ['b', ['pull']],
      ],
    ],
    [['repository:a:*'], [['a', ['pull', 'push', 'delete']]]],
    [['registry:catalog:*', 'repository:A:pull', 'repository:h:5000/a:pull', ''], []],
  ])('%j', (values, expected) => {
    expect(parseScopes(values).map(({ name, actions }) => [name, actions])).toEqual(expected);
  });

  it('are granted as far as they are allowed', () => {
    const folders = new Set(['team', 'other']);
    const asked = parseScopes(['repository:team/a:pull,push', 'repository:other/a:pull']);
    expect(grantedOf({ principal: reader, folders }, asked)).toEqual([
      { type: 'repository', name: 'team/a', actions: ['pull'] },
    ]);
  });
});
