import { expect, it } from 'vitest';
import { groupNoticeIn } from './group-notice.ts';

it.each([
  ['pc_oidc_groups=overage', 'overage'],
  ['a=b; __Host-pc_oidc_groups=absent', 'absent'],
  ['pc_oidc_groups=unreadable; c=d', 'unreadable'],
  ['pc_oidc_groups=not_here', 'not_here'],
  ['pc_oidc_groups=<script>', null],
  ['other_pc_oidc_groups=absent', null],
  ['pc_oidc_groups', null],
  ['', null],
])('of the cookies "%s" the page shows %s', (cookies, notice) =>
  expect(groupNoticeIn(cookies)).toBe(notice),
);
