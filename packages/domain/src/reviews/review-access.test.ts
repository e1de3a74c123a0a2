import { expect, it } from 'vitest';
import type { Principal } from '../access/principal.ts';
import type { JobDestination } from '../job/staging-job.ts';
import { reviewFixture } from './review.fixture.ts';
import {
  mayCommentReview,
  mayDecideReview,
  maySeeReview,
  mayWithdrawReview,
} from './review-access.ts';

const NOTHING = { canPull: false, canPush: false, canPullExternal: false, canPushExternal: false };
const TEAM = { grants: [{ folder: 'team', ...NOTHING, canPull: true }] };
const WRITER = { grants: [{ folder: 'team', ...NOTHING, canPush: true }] };
const REVIEWER = { canBypassVulnBlock: true };

/** The requester of the fixture is `u1`. */
function account(change: object): Principal {
  return {
    ...{ id: 'u9', username: 'ann', isAdmin: false, canBypassVulnBlock: false },
    ...{ grants: [], auth: 'session', ...change },
  };
}

const OUTSIDE: JobDestination = {
  ...{ kind: 'registry', registryId: 'r1', host: 'r.example', folder: null },
  ...{ repository: 'x/app', tag: '1' },
};

/** What an account may do: see, comment, decide, withdraw; and the code that refuses a decision. */
function rightsOf(principal: Principal, destination?: JobDestination): [string, string | null] {
  const review = reviewFixture(destination && { destination });
  if (!maySeeReview(principal, review)) return ['', 'REVIEW_UNKNOWN'];
  const decision = mayDecideReview(principal, review);
  const may = [
    'see',
    ...(mayCommentReview(principal).allowed ? ['comment'] : []),
    ...(decision.allowed ? ['decide'] : []),
    ...(mayWithdrawReview(principal, review).allowed ? ['withdraw'] : []),
  ];
  return [may.join(' '), decision.allowed ? null : decision.code];
}

it.each([
  ['its requester', { id: 'u1' }, 'see comment withdraw', 'WAIVER_FORBIDDEN'],
  [
    'its requester, who may review',
    { id: 'u1', ...TEAM, ...REVIEWER },
    'see comment withdraw',
    'REVIEW_OWN_REQUEST',
  ],
  [
    'its requester, an administrator',
    { id: 'u1', isAdmin: true },
    'see comment withdraw',
    'REVIEW_OWN_REQUEST',
  ],
  ['a member of its folder', TEAM, 'see comment', 'WAIVER_FORBIDDEN'],
  ['an account that may push there, and not pull', WRITER, '', 'REVIEW_UNKNOWN'],
  ['a reviewer of its folder', { ...TEAM, ...REVIEWER }, 'see comment decide', null],
  ['a reviewer without its folder', REVIEWER, '', 'REVIEW_UNKNOWN'],
  ['an administrator', { isAdmin: true }, 'see comment decide withdraw', null],
  ['a robot of its folder', { ...TEAM, ...REVIEWER, robotOf: null }, 'see', 'WAIVER_FORBIDDEN'],
  ['any other account', {}, '', 'REVIEW_UNKNOWN'],
] as const)('a request for a folder gives %s these rights', (_, change, rights, code) => {
  expect(rightsOf(account(change))).toEqual([rights, code]);
});

it.each([
  ['its requester', { id: 'u1' }, 'see comment withdraw', 'WAIVER_FORBIDDEN'],
  ['a reviewer', REVIEWER, 'see comment decide', null],
  ['an administrator', { isAdmin: true }, 'see comment decide withdraw', null],
  ['a member of some folder', TEAM, '', 'REVIEW_UNKNOWN'],
  ['a robot', { ...REVIEWER, robotOf: null }, '', 'REVIEW_UNKNOWN'],
] as const)('a request for another registry gives %s these rights', (_, change, rights, code) => {
  expect(rightsOf(account(change), OUTSIDE)).toEqual([rights, code]);
});

it('the folder of a request may be gone: only its requester and administrators see it', () => {
  const destination = { ...reviewFixture().destination, folder: null };
  expect(rightsOf(account({ ...TEAM, ...REVIEWER }), destination)[0]).toBe('');
  expect(rightsOf(account({ id: 'u1' }), destination)[0]).toBe('see comment withdraw');
});
