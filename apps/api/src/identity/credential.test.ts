import { expect, it } from 'vitest';
import { credentialOf } from './credential.ts';

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
  expect(credentialOf({ headers })).toEqual(credential);
});
