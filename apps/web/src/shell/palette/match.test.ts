import { expect, it } from 'vitest';
import { matches } from './match.ts';

it.each([
  ['Réseau', 'reseau', true],
  ['Folders and permissions', 'perm fold', true],
  ['Folders and permissions', '', true],
  ['Folders and permissions', 'perm users', false],
  ['team/shop', 'SHOP', true],
])('“%s” is found by “%s”: %s', (text, typed, found) => {
  expect(matches(text, typed)).toBe(found);
});
