import { expect, it } from 'vitest';
import { credentialResponse, noCredentials, readCredentialRequest } from './credential-request.ts';

const REQUEST = {
  kind: 'CredentialProviderRequest',
  apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
  image: 'registry.example.com/prod/app:1.4',
  serviceAccountToken: 'ey.token',
  serviceAccountAnnotations: { a: 'b' },
};

it.each([
  ['a token', 'ey.token', 'ey.token'],
  ['no token, as with a kubelet before 1.33', undefined, null],
  ['an empty token', '', null],
])('a request with %s', (_, serviceAccountToken, expected) => {
  expect(readCredentialRequest(JSON.stringify({ ...REQUEST, serviceAccountToken }))).toEqual({
    image: REQUEST.image,
    serviceAccountToken: expected,
  });
});

it.each<[string, string, string]>([
  ['nothing', '', 'standard input has no JSON object'],
  ['no JSON', 'registry.example.com', 'standard input has no JSON object'],
  ['a list', '[]', 'standard input has no JSON object'],
  ['another version', JSON.stringify({ ...REQUEST, apiVersion: 'v1' }), 'only a Credential'],
  ['no image', JSON.stringify({ ...REQUEST, image: '' }), 'the request names no image'],
])('%s is a fault', (_, text, fault) => {
  expect(readCredentialRequest(text)).toContain(fault);
});

const HEAD = { kind: 'CredentialProviderResponse', apiVersion: REQUEST.apiVersion };
const NOW = new Date('2026-11-30T00:00:00Z');

it.each([
  [15 * 60, '840s'],
  [61, '1s'],
  [30, '0s'],
  [-30, '0s'],
])('credentials that end in %d s are kept for %s', (seconds, cacheDuration) => {
  const expiresAt = new Date(NOW.getTime() + seconds * 1_000);
  const found = { host: 'registry.example.com', username: 'nodes', password: 'pcr_1', expiresAt };
  expect(credentialResponse(found, NOW)).toEqual({
    ...HEAD,
    cacheKeyType: 'Registry',
    cacheDuration,
    auth: { 'registry.example.com': { username: 'nodes', password: 'pcr_1' } },
  });
});

it('without credentials the kubelet keeps nothing', () => {
  expect(noCredentials()).toEqual({
    ...HEAD,
    cacheKeyType: 'Image',
    cacheDuration: '0s',
    auth: {},
  });
});
