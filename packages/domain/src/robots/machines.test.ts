import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepts, compareClaims, namesAnOwner } from './identity-trust.ts';
import { endOfRotated, mayManageTokens } from './robots.ts';

const ACCOUNT = { isAdmin: false, canBypassVulnBlock: false };
const ROBOT = { ownerGroupId: 'a', groupIds: ['a'], canBypassVulnBlock: false };

it.each([
  ['a member of the owning group', ACCOUNT, ['a'], ROBOT, true],
  ['an account outside the owning group', ACCOUNT, ['b'], ROBOT, false],
  [
    'a member, where the robot has the rights of another group',
    ACCOUNT,
    ['a'],
    { ...ROBOT, groupIds: ['a', 'b'] },
    false,
  ],
  [
    'a member of all groups of the robot',
    ACCOUNT,
    ['a', 'b'],
    { ...ROBOT, groupIds: ['a', 'b'] },
    true,
  ],
  [
    'a member, where the robot may pass the gate',
    ACCOUNT,
    ['a'],
    { ...ROBOT, canBypassVulnBlock: true },
    false,
  ],
  [
    'a member who may pass the gate as the robot may',
    { isAdmin: false, canBypassVulnBlock: true },
    ['a'],
    { ...ROBOT, canBypassVulnBlock: true },
    true,
  ],
  [
    'a member, where administrators own it',
    ACCOUNT,
    ['a'],
    { ...ROBOT, ownerGroupId: null },
    false,
  ],
  [
    'an administrator',
    { isAdmin: true, canBypassVulnBlock: false },
    [],
    { ...ROBOT, ownerGroupId: null },
    true,
  ],
])('the tokens of a robot are managed by %s: %#', (_, account, groups, robot, may) => {
  expect(mayManageTokens(account, new Set(groups), robot)).toBe(may);
});

it('a rotated token ends after the overlap, and never later than before', () => {
  const now = new Date(0);
  expect(endOfRotated(new Date(10 * 3_600_000), 2, now)).toEqual(new Date(2 * 3_600_000));
  expect(endOfRotated(new Date(3_600_000), 2, now)).toEqual(new Date(3_600_000));
  expect(endOfRotated(new Date(3_600_000), 0, now)).toEqual(now);
});

const GITHUB = {
  iss: 'https://token.actions.githubusercontent.com',
  aud: 'https://registry.example',
  sub: 'repo:acme/app:ref:refs/heads/main',
  repository: 'acme/app',
  repository_owner: 'acme',
  ref: 'refs/heads/main',
  run_attempt: 1,
  environment: ['prod', 'eu'],
};

function rule(conditions: Record<string, string[]>, rest = {}) {
  return { audience: 'https://registry.example', enabled: true, conditions, ...rest };
}

describe('a trust accepts', () => {
  it.each([
    ['the exact value', rule({ repository: ['acme/app'] }), true],
    ['another value', rule({ repository: ['acme/other'] }), false],
    ['a pattern within a segment', rule({ repository: ['acme/*'] }), true],
    ['a pattern that ends before a slash', rule({ ref: ['refs/*'] }), false],
    ['a pattern across segments', rule({ ref: ['refs/**'] }), true],
    ['one of several patterns', rule({ ref: ['refs/tags/*', 'refs/heads/main'] }), true],
    ['all claims together', rule({ repository: ['acme/app'], ref: ['refs/heads/main'] }), true],
    ['one claim of two', rule({ repository: ['acme/app'], ref: ['refs/heads/dev'] }), false],
    ['a claim that is missing', rule({ repository: ['acme/app'], job: ['**'] }), false],
    ['a number by its digits', rule({ run_attempt: ['1'] }), true],
    ['one entry of a list', rule({ environment: ['eu'] }), true],
    ['a name of every object', rule({ toString: ['**'] }), false],
    ['no condition', rule({}), false],
    ['no pattern', rule({ repository: [] }), false],
    ['another audience', rule({ repository: ['acme/app'] }, { audience: 'https://x' }), false],
    ['a rule that is off', rule({ repository: ['acme/app'] }, { enabled: false }), false],
  ])('%s', (_, trust, accepted) => {
    expect(accepts(trust, GITHUB)).toBe(accepted);
  });

  it('characters of regular expressions as they are', () => {
    expect(accepts(rule({ repository: ['acme.app'] }), { ...GITHUB, repository: 'acmexapp' })).toBe(
      false,
    );
  });
});

it('a comparison says what each claim has', () => {
  expect(compareClaims({ ref: ['refs/tags/*'], job: ['x'] }, GITHUB)).toEqual([
    { claim: 'ref', patterns: ['refs/tags/*'], found: 'refs/heads/main', matches: false },
    { claim: 'job', patterns: ['x'], found: null, matches: false },
  ]);
});

describe('conditions name an owner', () => {
  it.each([
    [{ repository: ['acme/app'] }, true],
    [{ repository: ['acme/*'] }, true],
    [{ repository: ['*/app'] }, false],
    [{ repository: ['**'] }, false],
    [{ repository: ['acme*'] }, false],
    [{ repository: ['acme*/app'] }, false],
    [{ repository: ['acme/app', '*/app'] }, false],
    [{ repository: [] }, false],
    [{ repository_owner: ['acme'] }, true],
    [{ repository_owner: ['acme*'] }, false],
    [{ repository_id: ['12345'] }, true],
    [{ repository_id: ['1*'] }, false],
    [{ project_path: ['group/app'] }, true],
    [{ project_path: ['group/**'] }, true],
    [{ namespace_path: ['group'] }, true],
    [{ namespace_path: ['*'] }, false],
    [{ ref: ['refs/heads/main'] }, false],
    [{ ref_protected: ['true'] }, false],
    [{ sub: ['repo:acme/app:ref:refs/heads/main'] }, true],
    [{ sub: ['repo:acme/**'] }, true],
    [{ sub: ['repo:acme*/**'] }, false],
    [{ sub: ['repo:**'] }, false],
    [{ sub: ['**'] }, false],
    [{ sub: ['project_path:group/app:**'] }, true],
    [{ sub: ['system:serviceaccount:ci:builder'] }, true],
    [{ sub: ['system:serviceaccount:ci:*'] }, true],
    [{ sub: ['repository_owner:acme:**'] }, true],
    [{ sub: ['ref:refs/heads/main'] }, false],
    [{ sub: ['environment:prod/eu:**'] }, false],
    [{ sub: ['job_workflow_ref:acme/ci/.github/workflows/x.yml@**'] }, false],
    [{ sub: ['job_workflow_ref:acme/ci/.github/workflows/x.yml@refs/heads/main'] }, false],
    [{ sub: ['system:serviceaccount:*'] }, false],
    [{ sub: ['system:serviceaccount:c*:builder'] }, false],
    [{}, false],
  ])('%j: %s', (conditions, owned) => {
    expect(namesAnOwner(conditions)).toBe(owned);
  });

  it('where they do, no token of another owner of the same form matches', () => {
    const owner = fc.stringMatching(/^[a-z]{1,4}$/);
    const pattern = fc.stringMatching(/^[a-z*]{1,4}\/[a-z*]{1,4}$/);
    fc.assert(
      fc.property(pattern, owner, owner, (text, one, other) => {
        const conditions = { repository: [text] };
        fc.pre(namesAnOwner(conditions) && one !== other);
        const accepted = [one, other].filter((name) =>
          accepts(rule(conditions), { ...GITHUB, repository: `${name}/${text.split('/')[1]}` }),
        );
        expect(accepted.length).toBeLessThan(2);
      }),
    );
  });
});
