import { describe, expect, it } from 'vitest';
import { isUsableRealm, trustsRealm } from './realm.ts';

describe('a token service', () => {
  it.each([
    ['on the registry itself', 'https://ghcr.io', 'https://ghcr.io/token', true],
    ['on another port of its host', 'http://10.0.0.1:5000', 'http://10.0.0.1:5001/auth', true],
    ['of Docker Hub', 'https://registry-1.docker.io', 'https://auth.docker.io/token', true],
    ['of gitlab.com', 'https://registry.gitlab.com', 'https://gitlab.com/jwt/auth', true],
    [
      'of the same company',
      'https://registry.example.com',
      'https://gitlab.example.com/jwt/auth',
      true,
    ],
    [
      'of the same company in a country',
      'https://registry.example.co.uk',
      'https://auth.example.co.uk/',
      true,
    ],
    ['elsewhere', 'https://registry.example.com', 'https://auth.evil.com/', false],
    ['in the same country only', 'https://registry.example.co.uk', 'https://evil.co.uk/', false],
    ['with a name that looks alike', 'https://example.com', 'https://notexample.com/', false],
    ['of a neighbour in a cloud', 'https://mine.azurecr.io', 'https://yours.azurecr.io/', false],
    [
      'of a neighbour in a cloud’s region',
      'https://1.dkr.ecr.us-east-1.amazonaws.com',
      'https://2.dkr.ecr.us-east-1.amazonaws.com/',
      false,
    ],
    [
      'of a neighbour at a host of code',
      'https://mine.github.io',
      'https://yours.github.io/',
      false,
    ],
    [
      'of a neighbour behind a tunnel',
      'https://mine.ngrok-free.app',
      'https://yours.ngrok-free.app/',
      false,
    ],
    ['of a neighbour in a private network', 'https://mine.ts.net', 'https://yours.ts.net/', false],
    [
      'on another machine of one private network',
      'https://a.tail1.ts.net',
      'https://b.tail1.ts.net/',
      true,
    ],
    ['of another address in a name', 'http://10.0.0.1.nip.io', 'http://11.0.0.1.nip.io/', false],
    [
      'of a neighbour in a cloud’s storage',
      'https://mine.blob.core.windows.net',
      'https://yours.blob.core.windows.net/',
      false,
    ],
    [
      'of another company in a country with deep names',
      'https://registry.kawasaki.jp',
      'https://auth.kawasaki.jp/',
      false,
    ],
    ['that pretends to be Docker Hub’s', 'https://evil.io', 'https://auth.docker.io/token', false],
    ['on a neighbouring address', 'http://10.0.0.1', 'http://11.0.0.1/', false],
    ['on another single name', 'http://registry', 'http://auth/', false],
    ['in plain text', 'https://ghcr.io', 'http://ghcr.io/token', false],
    ['by another protocol', 'http://ghcr.io', 'ftp://ghcr.io/token', false],
  ])('%s (%s, %s): receives the credentials: %s', (_, registry, realm, expected) => {
    expect(trustsRealm(new URL(registry), new URL(realm))).toBe(expected);
  });

  it('on another domain may be used without credentials, over https', () => {
    expect(isUsableRealm(new URL('https://a.io'), new URL('https://b.io/'))).toBe(true);
    expect(isUsableRealm(new URL('https://a.io'), new URL('http://b.io/'))).toBe(false);
  });

  it.each<[string, string, string, string[], boolean]>([
    ['that is allowed', 'https://r.io', 'https://auth.net/t', ['auth.net'], true],
    ['on an allowed port', 'https://r.io', 'https://auth.net:8443/t', ['auth.net:8443'], true],
    ['in other letters', 'https://r.io', 'https://auth.net/t', ['AUTH.net'], true],
    ['at an address', 'http://127.0.0.1:1', 'http://127.0.0.2:7/t', ['127.0.0.2:7'], true],
    ['on another port', 'https://r.io', 'https://auth.net:8443/t', ['auth.net'], false],
    ['below an allowed host', 'https://r.io', 'https://x.auth.net/t', ['auth.net'], false],
    ['in plain text', 'https://r.io', 'http://auth.net/t', ['auth.net'], false],
  ])('%s (%s, %s, %j): receives the credentials: %s', (_, registry, realm, hosts, expected) => {
    expect(trustsRealm(new URL(registry), new URL(realm), hosts)).toBe(expected);
  });
});
