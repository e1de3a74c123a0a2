import { expect, it } from 'vitest';
import { homeOf, mayWork } from './home.ts';

const NONE = { pull_external: false, push_external: false, push: false };
const reader = { is_admin: false, can_bypass_vuln_block: false, capabilities: NONE };
const developer = { ...reader, capabilities: { ...NONE, push: true } };
const reviewer = { ...reader, can_bypass_vuln_block: true };

it.each([
  ['an administrator sees what needs attention first', { ...reader, is_admin: true }, 'attention'],
  ['a reviewer sees the queue first', reviewer, 'reviews'],
  ['a reviewer that pushes sees the queue first, too', { ...developer, ...reviewer }, 'reviews'],
  ['a developer sees what needs attention first', developer, 'attention'],
  ['an account that reads sees what needs attention first', reader, 'attention'],
])('%s', (_, account, first) => {
  expect(homeOf(account)[0]).toBe(first);
});

it('only accounts that pull or push have jobs, and only administrators have the figures', () => {
  expect(homeOf(reader)).toEqual(['attention', 'changes']);
  expect(homeOf(developer)).toEqual(['attention', 'jobs', 'changes']);
  expect([reader, developer, reviewer].some((each) => homeOf(each).includes('figures'))).toBe(
    false,
  );
  expect(mayWork({ ...reader, capabilities: { ...NONE, pull_external: true } })).toBe(true);
});
