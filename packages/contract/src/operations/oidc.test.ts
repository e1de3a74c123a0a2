import { expect, it } from 'vitest';
import { isLocalPath, OidcSettings } from './oidc.ts';

it.each([
  ['/', true],
  ['/images?q=a%2Fb#top', true],
  ['/a//b', true],
  ['', false],
  ['images', false],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['/a\\b', false],
  ['/\t/evil.example', false],
  ['/a\r\nb', false],
  ['/a b', false],
  ['https://evil.example/', false],
  ['javascript:alert(1)', false],
])('after a login one may go to %j: %s', (path, local) => {
  expect(isLocalPath(path)).toBe(local);
});

it.each([
  ['https://id.example.com', true],
  ['http://localhost:8080/realms/main', true],
  ['id.example.com', false],
  ['https://id.example.com/?a=b', false],
  ['https://id.example.com/#a', false],
  ['https://user:pass@id.example.com', false],
  ['file:///etc/passwd', false],
])('%s names a provider: %s', (issuer, named) => {
  expect(OidcSettings.shape.issuer.safeParse(issuer).success).toBe(named);
});
