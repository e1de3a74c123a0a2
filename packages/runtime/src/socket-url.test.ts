import fc from 'fast-check';
import { expect, it } from 'vitest';
import { socketHost, socketOf } from './socket-url.ts';

it('every absolute path survives in the host of a URL, beside credentials', () => {
  const path = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `/${text}`);
  fc.assert(
    fc.property(path, fc.constantFrom('redis', 'postgresql', 'http+unix'), (given, scheme) => {
      expect(socketOf(`${scheme}://user:word@${socketHost(given)}/0`)).toBe(given);
    }),
  );
});

it.each([
  ['redis://:word@127.0.0.1:6379/0'],
  ['http://registry:5000'],
  ['postgresql://localhost/portcullis'],
  ['redis://%2Fbroken%ff/0'],
])('%s names no socket', (url) => {
  expect(socketOf(url)).toBeNull();
});
