import { describe, expect, it } from 'vitest';
import {
  claimAt,
  emailIn,
  isAdminBy,
  isAllowed,
  mappedGroups,
  saysEnough,
  wantedName,
} from './claims.ts';
import { OIDC_DEFAULTS } from './settings.ts';

it('a claim with dots in its name is found before a path', () => {
  expect(claimAt({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
});

it.each([
  ['resource_access.images.example.com.roles', ['a']],
  ['resource_access.images.example.com', { roles: ['a'] }],
  ['resource_access.images.roles', ['b']],
  ['urn:x.y.roles', undefined],
  ['resource_access.constructor.name', undefined],
])('the path %s leads to %j', (path, found) => {
  const resource_access = { 'images.example.com': { roles: ['a'] }, images: { roles: ['b'] } };
  expect(claimAt({ resource_access }, path)).toEqual(found);
});

describe('the name of an account', () => {
  it.each([
    ['is the claim that the settings name', { nick: 'ann', email: 'a@b' }, 'ann'],
    ['is the preferred name where that claim is missing', { preferred_username: 'ann' }, 'ann'],
    ['is the address where there is nothing else', { email: 'a@b' }, 'a@b'],
    ['is the subject as the last resort', { nick: 7 }, 'sub-1'],
    ['has no colon, which would end it in Basic', { nick: 'a:b' }, 'ab'],
    ['has no characters that hide what it is', { nick: ' a\u202eb\u0000\u200b ' }, 'ab'],
    ['is never empty', { nick: ' : ' }, 'sub-1'],
  ])('%s', (_, claims, expected) => {
    expect(wantedName(claims, 'nick', 'sub-1')).toBe(expected);
  });

  it('fits into its field with a number behind it', () => {
    expect(wantedName({ nick: 'x'.repeat(5000) }, 'nick', 's').length).toBeLessThanOrEqual(250);
  });
});

it.each([
  ['a@example.com', 'a@example.com'],
  ['a@b\r\nBcc: c', null],
  [7, null],
])('of the address %j is kept %j', (email, kept) => {
  expect(emailIn({ email })).toBe(kept);
});

it('without group settings all accounts may log in and none is an administrator', () => {
  expect(isAllowed([], OIDC_DEFAULTS)).toBe(true);
  expect(isAdminBy(['x'], OIDC_DEFAULTS)).toBeNull();
});

it('group settings determine who may log in and who is an administrator', () => {
  const settings = { allowedGroups: ['a', 'b'], adminGroups: ['b'] };
  expect([isAllowed(['a'], settings), isAllowed(['c'], settings)]).toEqual([true, false]);
  expect([isAdminBy(['b'], settings), isAdminBy(['a'], settings)]).toEqual([true, false]);
});

it('several groups may map to one, and one to several', () => {
  const groupMapping = [
    { claim: 'x', group: 'one' },
    { claim: 'y', group: 'one' },
    { claim: 'x', group: 'two' },
  ];
  expect(mappedGroups(['x', 'y', 'z'], { groupMapping })).toEqual(['one', 'two']);
});

it.each([
  ['a name alone is enough where groups decide nothing', { preferred_username: 'a' }, {}, true],
  ['no name is not enough', {}, {}, false],
  [
    'groups are needed where they decide',
    { preferred_username: 'a' },
    { adminGroups: ['x'] },
    false,
  ],
  [
    'no groups at all are an answer, too',
    { preferred_username: 'a', groups: [] },
    { adminGroups: ['x'] },
    true,
  ],
])('%s', (_, claims, settings, enough) => {
  expect(saysEnough(claims, { ...OIDC_DEFAULTS, ...settings })).toBe(enough);
});
