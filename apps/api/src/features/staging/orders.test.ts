import { PullRequest } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { pullOrder } from './orders.ts';

const image = { image: 'team/app', tag: '1' };

it.each<[object, boolean | 'required']>([
  [{}, true],
  [{ include_referrers: null }, true],
  [{ include_referrers: true }, true],
  [{ include_referrers: false }, false],
  [{ include_referrers: 'required' }, 'required'],
])('a pull with %j has the referrers %j', (fields, expected) => {
  expect(pullOrder(PullRequest.parse({ ...image, ...fields })).withReferrers).toBe(expected);
});

it.each(['yes', '', 1, ['required']])('include_referrers is not %j', (include_referrers) => {
  expect(PullRequest.safeParse({ ...image, include_referrers }).success).toBe(false);
});
