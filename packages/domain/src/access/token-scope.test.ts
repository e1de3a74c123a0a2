import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bypassOf } from '../policy/bypass.ts';
import { mayRequestWaiver, mayReviewWaivers } from '../waivers/waiver-requests.ts';
import { ACCESS_ACTIONS, decide } from './access.ts';
import { mayCall, narrowed } from './narrowed.ts';
import type { FolderGrant, Principal } from './principal.ts';
import {
  isLimited,
  TOKEN_ACTIONS,
  type TokenScope,
  UNLIMITED_SCOPES,
  unlimitedScopeName,
} from './token-scope.ts';

const FOLDERS = new Set(['__root__', 'team', 'other']);
const FULL = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };

function account(rest: Partial<Principal> = {}): Principal {
  return {
    id: 'u',
    username: 'u',
    isAdmin: false,
    canBypassVulnBlock: true,
    auth: 'token',
    grants: [...FOLDERS].map((folder) => ({ folder, ...FULL })),
    ...rest,
  };
}

function scope(rest: Partial<TokenScope>): TokenScope {
  return { ...UNLIMITED_SCOPES.api, ...rest };
}

const NO_MIRRORS = new Map<string, never>();

function may(
  { folders, actions }: Partial<TokenScope>,
  action: 'pull' | 'push' | 'delete',
  { repository = 'team/app', by = account() } = {},
): boolean {
  const principal = narrowed(
    by,
    scope({ ...(folders && { folders }), ...(actions && { actions }) }),
    FOLDERS,
  );
  const question =
    action === 'delete'
      ? ({ action: 'push', operation: 'delete' } as const)
      : ({ action } as const);
  return decide(principal, { ...question, repository, folders: FOLDERS, mirrors: NO_MIRRORS })
    .allowed;
}

describe('a token', () => {
  it.each([
    ['without limits allows a pull', {}, 'pull', {}, true],
    ['without limits allows a deletion', {}, 'delete', {}, true],
    ['for pulls allows a pull', { actions: ['pull'] }, 'pull', {}, true],
    ['for pulls allows no push', { actions: ['pull'] }, 'push', {}, false],
    ['for pushes allows no deletion', { actions: ['pull', 'push'] }, 'delete', {}, false],
    ['for pushes and deletions allows one', { actions: ['push', 'delete'] }, 'delete', {}, true],
    ['for deletions alone allows none', { actions: ['delete'] }, 'delete', {}, false],
    ['of a folder allows its images', { folders: ['team'] }, 'push', {}, true],
    [
      'of a folder allows no other folder',
      { folders: ['team'] },
      'pull',
      { repository: 'other/app' },
      false,
    ],
    [
      'of a folder does not allow the root',
      { folders: ['team'] },
      'pull',
      { repository: 'app' },
      false,
    ],
    [
      'for pulls of an administrator allows no push',
      { actions: ['pull'] },
      'push',
      { by: account({ isAdmin: true, grants: [] }) },
      false,
    ],
    [
      'for pulls of an administrator allows pulls of every folder',
      { actions: ['pull'] },
      'pull',
      { by: account({ isAdmin: true, grants: [] }) },
      true,
    ],
    [
      'allows nothing that its account may not',
      { actions: ['pull'] },
      'pull',
      { by: account({ grants: [] }) },
      false,
    ],
  ] as const)('%s', (_, limits, action, rest, allowed) => {
    expect(may(limits, action, rest)).toBe(allowed);
  });

  it('passes the gate only with the action bypass, where its account may', () => {
    const by = (actions: TokenScope['actions'], rest: Partial<Principal> = {}) =>
      narrowed(account(rest), scope({ actions }), FOLDERS).canBypassVulnBlock;
    expect(by('all')).toBe(true);
    expect(by(['pull'])).toBe(false);
    expect(by(['pull', 'bypass'])).toBe(true);
    expect(by(['pull', 'bypass'], { canBypassVulnBlock: false })).toBe(false);
    expect(by(['bypass'], { canBypassVulnBlock: false, isAdmin: true })).toBe(true);
  });

  it('that is limited never administers', () => {
    const admin = account({ isAdmin: true });
    expect(narrowed(admin, scope({ actions: [...TOKEN_ACTIONS] }), FOLDERS).isAdmin).toBe(false);
    expect(narrowed(admin, scope({ folders: [...FOLDERS] }), FOLDERS).isAdmin).toBe(false);
    expect(narrowed(admin, scope({}), FOLDERS).isAdmin).toBe(true);
  });
});

const grant: fc.Arbitrary<FolderGrant> = fc.record({
  folder: fc.constantFrom(...FOLDERS),
  canPull: fc.boolean(),
  canPush: fc.boolean(),
  canPullExternal: fc.boolean(),
  canPushExternal: fc.boolean(),
});
const anyScope: fc.Arbitrary<TokenScope> = fc.record({
  folders: fc.oneof(fc.constant('all' as const), fc.subarray([...FOLDERS])),
  actions: fc.oneof(fc.constant('all' as const), fc.subarray([...TOKEN_ACTIONS])),
  api: fc.boolean(),
  registry: fc.boolean(),
});

it('no scope allows what the account may not do, and bypasses what it may not', () => {
  const question = fc.record({
    action: fc.constantFrom(...ACCESS_ACTIONS),
    repository: fc.constantFrom('app', 'team/app', 'other/app'),
    operation: fc.constantFrom(undefined, 'delete' as const, 'mount' as const),
  });
  fc.assert(
    fc.property(
      fc.array(grant),
      fc.boolean(),
      fc.boolean(),
      anyScope,
      question,
      (grants, isAdmin, canBypassVulnBlock, given, { action, repository, operation }) => {
        const whole = account({ grants, isAdmin, canBypassVulnBlock });
        const less = narrowed(whole, given, FOLDERS);
        const asked =
          action === 'pull' || action === 'push'
            ? {
                action,
                repository,
                folders: FOLDERS,
                mirrors: NO_MIRRORS,
                ...(operation && { operation }),
              }
            : { action };
        if (decide(less, asked).allowed) expect(decide(whole, asked).allowed).toBe(true);
        if (less.canBypassVulnBlock) expect(isAdmin || canBypassVulnBlock).toBe(true);
        if (less.isAdmin) expect(isAdmin && !isLimited(given)).toBe(true);
      },
    ),
  );
});

it.each([
  ['without limits leaves it', undefined, true],
  ['with the action bypass leaves it', ['push', 'bypass'], true],
  ['without the action bypass takes it away', ['push', 'transfer'], false],
] as const)('the bypass that is stored with a push: a token %s', (_, actions, allowed) => {
  const principal = actions === undefined ? {} : { tokenActions: new Set(actions) };
  expect(bypassOf(principal, { allowed: true, reason: 'x' })).toEqual({ allowed, reason: 'x' });
  expect(bypassOf(principal, { allowed: false, reason: null }).allowed).toBe(false);
});

it.each([
  ['of its folder', 'team', true],
  ['of another folder', 'other', false],
  ['of all folders', null, false],
])('a limited token of an approver requests waivers %s: %j', (_, folder, may) => {
  const limits = { folders: ['team'], actions: ['push', 'waive', 'bypass'] as const };
  const limited = narrowed(account({ isAdmin: true }), scope(limits), FOLDERS);
  expect(mayRequestWaiver(limited, { folder }, NO_MIRRORS).allowed).toBe(may);
});

it('a robot neither requests nor reviews waivers, whatever its rights', () => {
  const robot = account({ robotOf: null, isAdmin: true });
  expect(mayRequestWaiver(robot, { folder: 'team' }, NO_MIRRORS).allowed).toBe(false);
  expect(mayReviewWaivers(robot).allowed).toBe(false);
  expect(mayReviewWaivers(account({ isAdmin: true })).allowed).toBe(true);
});

it('the two scopes of personal tokens keep their names, and no other scope has one', () => {
  expect([
    unlimitedScopeName(UNLIMITED_SCOPES.api),
    unlimitedScopeName(UNLIMITED_SCOPES.docker),
  ]).toEqual(['api', 'docker']);
  expect(unlimitedScopeName(scope({ registry: true }))).toBeNull();
  expect(unlimitedScopeName(scope({ actions: ['pull'] }))).toBeNull();
  expect(unlimitedScopeName(scope({ folders: [] }))).toBeNull();
});

it.each([
  ['a token without limits', undefined, undefined, true],
  ['a limited token, where the operation names no action', ['pull'], undefined, false],
  ['a limited token, where any token may', [], 'any', true],
  ['a limited token with one of the actions', ['pull'], ['push', 'pull'], true],
  ['a limited token with none of the actions', ['report'], ['push', 'pull'], false],
] as const)('an operation accepts %s: %#', (_, actions, needed, may) => {
  const principal = actions === undefined ? {} : { tokenActions: new Set(actions) };
  expect(mayCall(principal, needed)).toBe(may);
});
