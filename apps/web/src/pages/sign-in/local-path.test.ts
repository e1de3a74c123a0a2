import { expect, it } from 'vitest';
import { localPath } from './local-path.ts';

it.each([
  ['/staging/new?x=1', '/staging/new?x=1'],
  [null, '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\n\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/login?next=/', '/'],
])('after signing in, %s redirects to %s', (next, path) => {
  expect(localPath(next)).toBe(path);
});
