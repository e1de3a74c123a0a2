import { expect, it } from 'vitest';
import { groupsIn, sourceOf } from './groups.ts';

it.each([
  ['Keycloak, Okta: a list', { groups: ['a', 'b'] }, 'groups', ['a', 'b']],
  ['a single name', { groups: 'a' }, 'groups', ['a']],
  ['Keycloak: roles of a realm', { realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  [
    'Keycloak: roles of a client with dots',
    { resource_access: { 'images.example.com': { roles: ['a'] } } },
    'resource_access.images.example.com.roles',
    ['a'],
  ],
  [
    'Auth0: a name with a URL',
    { 'https://example.com/groups': ['a'] },
    'https://example.com/groups',
    ['a'],
  ],
  [
    'Authentik: objects with a name',
    { groups: [{ id: '7', name: 'a' }, { name: 'b' }] },
    'groups',
    ['a', 'b'],
  ],
  ['SCIM: values with a display name', { groups: [{ value: '7', display: 'a' }] }, 'groups', ['a']],
  ['Graph: display names', { groups: [{ id: '7', displayName: 'a' }] }, 'groups', ['a']],
  ['a single object', { groups: { name: 'a', id: '7' } }, 'groups', ['a']],
  [
    'Zitadel: roles as keys',
    { 'urn:zitadel:roles': { a: { '1': 'org' }, b: { '1': 'org' } } },
    'urn:zitadel:roles',
    ['a', 'b'],
  ],
  ['Keycloak: full paths, one twice', { groups: ['/t/a', '/t/a', '/a'] }, 'groups', ['/t/a', '/a']],
  ['numbers', { groups: [7] }, 'groups', ['7']],
  ['none', { groups: [] }, 'groups', []],
  ['none, as an empty text', { groups: '' }, 'groups', []],
  ['none, as an empty object', { groups: {} }, 'groups', []],
])('groups are read in the form of %s', (_, claims, claim, names) => {
  expect(groupsIn(claims, claim)).toEqual({ names, missing: null });
});

it.each([
  ['there is no claim', {}, [], 'absent'],
  ['it is null', { groups: null }, [], 'absent'],
  [
    'it is elsewhere',
    { _claim_names: { groups: 's' }, _claim_sources: { s: { endpoint: 'https://graph' } } },
    [],
    'overage',
  ],
  ['Entra names no source', { _claim_names: { groups: 's' } }, [], 'overage'],
  ['Entra says that there are some', { hasgroups: true }, [], 'overage'],
  ['Entra says that there are none', { hasgroups: false }, [], 'absent'],
  ['an entry has no name', { groups: ['a', { members: 3 }] }, ['a'], 'unreadable'],
  ['an entry is a list', { groups: [['a']] }, [], 'unreadable'],
  ['it is a number of them', { groups: { count: 3 } }, [], 'unreadable'],
  ['it is a truth value', { groups: true }, [], 'unreadable'],
])('where %s, not all groups are known', (_, claims, names, missing) => {
  expect(groupsIn(claims, 'groups')).toEqual({ names, missing });
});

it('one field of an object is its name, so that no display name passes for an id', () => {
  const groups = [{ id: 'admins-id', name: 'guests' }];
  expect(groupsIn({ groups }, 'groups').names).toEqual(['guests']);
});

it('a source is where the provider says, with the token that it gives', () => {
  const claims = {
    _claim_names: { groups: 's' },
    _claim_sources: { s: { endpoint: 'https://x/groups', access_token: 't' } },
  };
  expect(sourceOf(claims, 'groups')).toEqual({ endpoint: 'https://x/groups', accessToken: 't' });
  expect(sourceOf(claims, 'roles')).toBeNull();
});
