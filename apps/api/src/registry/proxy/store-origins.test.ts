import { isAppError } from '@portcullis/errors';
import { expect, it } from 'vitest';
import { redirectTarget } from './store-origins.ts';

const registryUrl = new URL('http://user:secret@registry:5000');
const rule = { registryUrl, storeOrigins: ['https://images.s3.example.com', 'http://store:9000'] };
const from = new URL('http://registry:5000/v2/team/app/blobs/sha256:0');
const target = (location: string | undefined) => redirectTarget(location, from, rule).href;

it.each([
  ['the named store, with all of its query', 'https://images.s3.example.com/a/b?X-Amz-Signature=1'],
  ['another named one', 'http://store:9000/a'],
  ['the registry itself', 'http://registry:5000/v2/other'],
])('a redirect leads to %s', (_, location) => {
  expect(target(location)).toBe(location);
});

it('a path is one of the registry', () => {
  expect(target('/v2/elsewhere?x=1')).toBe('http://registry:5000/v2/elsewhere?x=1');
});

it('credentials in the address are dropped', () => {
  expect(target('http://me:too@store:9000/a#part')).toBe('http://store:9000/a');
});

it.each([
  ['a store that is not named', 'https://other.example.com/a?sig=secret'],
  ['the named store by another port', 'http://store:9001/a?sig=secret'],
  ['the named store without its TLS', 'http://images.s3.example.com/a?sig=secret'],
  ['cloud metadata', 'http://169.254.169.254/latest?sig=secret'],
  ['another protocol', 'file:///etc/passwd?sig=secret'],
  ['what is no address', 'http://[?sig=secret'],
  ['nowhere', undefined],
])('%s is refused, and the address is not shown', (_, location) => {
  const refused = (() => {
    try {
      return target(location);
    } catch (error) {
      return error;
    }
  })();
  expect(isAppError(refused) && refused.code).toBe('REGISTRY_REDIRECT_REFUSED');
  expect(String(refused)).not.toMatch(/example|store:|169|secret/);
  expect(isAppError(refused) && String(refused.cause)).not.toContain('secret');
});
