import { expect, it } from 'vitest';
import { startOf } from './start-of.ts';

const NONE = { pull_external: false, push_external: false, push: false };
const stranger = {
  ...{ is_admin: false, can_bypass_vuln_block: false, capabilities: NONE },
  groups: [] as { id: string; name: string }[],
};
const reader = { ...stranger, groups: [{ id: '1', name: 'security' }] };
const developer = { ...reader, capabilities: { ...NONE, push: true } };

it.each([
  ['an administrator', { ...stranger, is_admin: true }, '/dashboard'],
  ['a reviewer', { ...developer, can_bypass_vuln_block: true }, '/dashboard'],
  ['an account that only reads', reader, '/dashboard'],
  ['a developer', developer, '/staging'],
  [
    'an account that pulls for others',
    { ...reader, capabilities: { ...NONE, pull_external: true } },
    '/staging',
  ],
  ['an account without groups', stranger, '/staging'],
])('%s begins on its page', (_, account, page) => {
  expect(startOf(account)).toBe(page);
});
