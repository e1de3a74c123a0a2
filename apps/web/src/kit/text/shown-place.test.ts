import { expect, it } from 'vitest';
import { namedPlace, shownPlace } from './shown-place.ts';

const PAGE = 'gate.example:8443';

it.each([
  ['the built-in registry', '__local__', 'gate.example:8443/team/app:1'],
  ['a saved registry', '0198', 'localhost:5000/team/app:1'],
  ['an ad-hoc host', null, 'localhost:5000/team/app:1'],
])('an image in %s is shown by the name that clients use (%s): %s', (_, registryId, shown) => {
  expect(shownPlace('localhost:5000/team/app:1', registryId, PAGE)).toBe(shown);
});

it.each([
  ['the built-in registry', '__local__', PAGE],
  ['a saved registry', '0198', 'localhost:5000'],
  ['an ad-hoc host', undefined, 'localhost:5000'],
])('%s itself is shown by the name that clients use (%s): %s', (_, registryId, shown) => {
  expect(shownPlace('localhost:5000', registryId, PAGE)).toBe(shown);
});

it.each([
  ['registry-1.docker.io', 'docker.io'],
  ['registry-1.docker.io/library/nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['registry-1.docker.io.example/app:1', 'registry-1.docker.io.example/app:1'],
])('Docker Hub is called as people do: %s', (place, shown) => {
  expect(shownPlace(place, null, PAGE)).toBe(shown);
});

it.each([
  ['10.0.0.7:5000', 'Vendor hub'],
  ['10.0.0.7:5000/', 'Vendor hub'],
  ['10.0.0.7:5000/team/app:1', 'Vendor hub · team/app:1'],
  ['10.0.0.7:5000/app@sha256:ab', 'Vendor hub · app@sha256:ab'],
])('a saved registry is called by its name: %s', (place, shown) => {
  expect(namedPlace(place, 'Vendor hub')).toBe(shown);
});
