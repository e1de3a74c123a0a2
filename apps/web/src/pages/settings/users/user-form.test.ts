import type { User } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { formOf, generatedPassword, NEW_USER, newUserBody, userChange } from './user-form.ts';

const USER: User = {
  id: '0199d1f0-0000-7000-8000-000000000000',
  username: 'mira',
  email: 'mira@example.org',
  is_admin: false,
  can_bypass_vuln_block: false,
  disabled: false,
  must_change_password: false,
  auth_source: 'local',
  created_at: '2026-01-01T00:00:00Z',
  last_login_at: null,
};

describe('saving an account', () => {
  it.each([
    ['sends nothing where nothing changed', {}, {}],
    ['sends a flag that was switched', { disabled: true }, { disabled: true }],
    ['sends null for an emptied address', { email: ' ' }, { email: null }],
    [
      'sends a new password, and never an empty one',
      { password: 'a sentence is good' },
      { password: 'a sentence is good' },
    ],
    ['never sends another name', { username: 'somebody' }, {}],
  ])('%s', (_, typed, expected) => {
    expect(userChange(USER, { ...formOf(USER), ...typed })).toEqual(expected);
  });

  it('a new account must change its password, unless switched off', () => {
    expect(
      newUserBody({ ...NEW_USER, username: ' mira ', password: 'a sentence is good' }),
    ).toMatchObject({
      username: 'mira',
      email: null,
      must_change_password: true,
    });
  });

  it('generated passwords are long and differ', () => {
    const made = Array.from({ length: 50 }, generatedPassword);
    expect(new Set(made).size).toBe(50);
    expect(made.every((each) => /^(?:[a-zA-Z2-9]{5}-){3}[a-zA-Z2-9]{5}$/.test(each))).toBe(true);
  });
});
