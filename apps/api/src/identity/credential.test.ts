import { expect, it } from 'vitest';
import { cookieOf, credentialOf } from './credential.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

it.each([
  [{}, null],
  [{ cookie: 'a=b; pc_token=t' }, { kind: 'bearer', token: 't', from: 'cookie' }],
  [{ cookie: 'xpc_token=t' }, null],
  [
    { authorization: 'Bearer t', cookie: 'pc_token=c' },
    { kind: 'bearer', token: 't', from: 'header' },
  ],
  [{ authorization: 'bearer t' }, { kind: 'bearer', token: 't', from: 'header' }],
  [
    { authorization: basic('ann:a:b'), cookie: 'pc_token=c' },
    { kind: 'basic', username: 'ann', password: 'a:b' },
  ],
  [{ authorization: basic('ann') }, { kind: 'malformed' }],
  [{ authorization: basic(':x') }, { kind: 'malformed' }],
  [{ authorization: 'Digest x' }, { kind: 'malformed' }],
  [{ authorization: 'Bearer' }, { kind: 'malformed' }],
])('%j is %j', (headers, credential) => {
  expect(credentialOf({ headers }, false)).toEqual(credential);
});

it.each([
  ['pc_token=a; pc_token=b', false],
  ['pc_token=a; pc_token=a', false],
  ['pc_token=; x=y;pc_token=b', false],
  ['__Host-pc_token=a; __Host-pc_token=b', true],
])('two session cookies are neither: %s', (cookie, isSecure) => {
  expect(credentialOf({ headers: { cookie } }, isSecure)).toEqual({ kind: 'two_cookies' });
});

it('with TLS the session is in the cookie that no other host can set', () => {
  const cookie = 'pc_token=theirs; __Host-pc_token=ours; pc_token=theirs too';
  const ours = { kind: 'bearer', token: 'ours', from: 'cookie' };
  expect(credentialOf({ headers: { cookie } }, true)).toEqual(ours);
  expect(credentialOf({ headers: { cookie: 'pc_token=theirs' } }, true)).toBeNull();
  expect(credentialOf({ headers: { cookie: '__Host-pc_token=ours' } }, false)).toBeNull();
});

it('a cookie that occurs twice has no value', () => {
  expect(cookieOf({ cookie: 'a=1; b=2; a=3' }, 'a')).toBeNull();
  expect(cookieOf({ cookie: 'a=1; b=2; a=3' }, 'b')).toBe('2');
});
