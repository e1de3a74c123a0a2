import { expect, it } from 'vitest';
import { silenceOf } from './silence.ts';

it.each([
  [3, 0, 'none'],
  [3, 1, 'some'],
  [3, 3, 'all'],
])('of %i namespaces %i are silent: %s', (namespaces, silent, expected) => {
  expect(silenceOf({ namespaces, silent_namespaces: silent })).toBe(expected);
});
