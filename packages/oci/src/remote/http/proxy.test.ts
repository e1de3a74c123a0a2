import { describe, expect, it } from 'vitest';
import { proxyAuthorization, proxyFor } from './proxy.ts';

const env = { HTTP_PROXY: 'http://plain:3128', HTTPS_PROXY: 'secure:3129' };

describe('the proxy', () => {
  it('is the one for the protocol', () => {
    expect(proxyFor(new URL('http://a.example'), env)?.href).toBe('http://plain:3128/');
    expect(proxyFor(new URL('https://a.example'), env)?.href).toBe('http://secure:3129/');
    expect(proxyFor(new URL('https://a.example'), {})).toBeUndefined();
  });

  it.each([
    ['*', 'https://a.example', true],
    ['a.example', 'https://a.example', true],
    ['a.example', 'https://b.a.example', true],
    ['.a.example', 'https://b.a.example', true],
    ['*.a.example', 'https://b.a.example', true],
    ['a.example', 'https://ba.example', false],
    ['a.example:443', 'https://a.example', true],
    ['a.example:8443', 'https://a.example', false],
    ['x, A.example', 'https://a.example.', true],
    ['10.0.0.0/8', 'http://10.1.2.3:5000', true],
    ['10.0.0.0/8', 'http://11.1.2.3', false],
    ['10.1.2.3', 'http://10.1.2.3', true],
    ['[::1]:5000', 'http://[::1]:5000', true],
    ['::1', 'http://[::1]:5000', true],
    ['', 'https://a.example', false],
  ])('with NO_PROXY %j is bypassed for %s: %s', (NO_PROXY, url, expected) => {
    expect(proxyFor(new URL(url), { ...env, NO_PROXY }) === undefined).toBe(expected);
  });

  it('gets the credentials in its URL', () => {
    expect(proxyAuthorization(new URL('http://a%40b:c@p'))).toBe(
      `Basic ${Buffer.from('a@b:c').toString('base64')}`,
    );
    expect(proxyAuthorization(new URL('http://p'))).toBeUndefined();
  });
});
