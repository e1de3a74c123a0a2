import { expect, it } from 'vitest';
import { shownDestination } from './shown-destination.ts';

it.each([
  ['of the built-in registry', '__local__', 'gate.example:8443/team/app:1'],
  ['of a saved registry', '0198', 'localhost:5000/team/app:1'],
  ['of an ad-hoc host', null, 'localhost:5000/team/app:1'],
])('a destination %s is shown by the name that clients use (%s): %s', (_, registryId, shown) => {
  const page = 'gate.example:8443';
  expect(shownDestination('localhost:5000/team/app:1', registryId, page)).toBe(shown);
});
