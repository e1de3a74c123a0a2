import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FolderGrant } from '../access/principal.ts';
import { matchesPath } from '../location/path-pattern.ts';
import { daysLater, NOW, waiverFixture } from '../standing/standing.fixture.ts';
import { isAbout, isFor, isRepositoryPattern } from './waiver.ts';
import {
  isOpen,
  isWaiverEnd,
  mayApproveWaiver,
  mayRequestWaiver,
  mayRevokeWaiver,
  withApproval,
} from './waiver-requests.ts';

const NOBODY = { id: 'u2', isAdmin: false, canBypassVulnBlock: false };
const REVIEWER = { ...NOBODY, canBypassVulnBlock: true };
const NONE = { canPush: false, canPull: false, canPullExternal: false, canPushExternal: false };
const granted = (folder: string, flags: Partial<FolderGrant>) => ({
  ...NOBODY,
  grants: [{ folder, ...NONE, ...flags }],
});
const pushing = (folder: string) => granted(folder, { canPush: true });
const bringing = (folder: string) => granted(folder, { canPull: true, canPullExternal: true });
const MIRRORS = new Map([['hub', { host: 'registry.example.com' }]]);

it.each([
  ['team/*', 'team/app', true],
  ['team/*', 'team/app/web', false],
  ['team/**', 'team/app/web', true],
  ['**/web', 'team/app/web', true],
  ['*/web', 'team/app/web', false],
  ['team/a*b', 'team/ab', true],
  ['team/a.p', 'team/app', false],
  ['team', 'team/app', false],
])('the pattern %s of repositories, and %s: %s', (pattern, repository, expected) => {
  expect(isRepositoryPattern(pattern)).toBe(true);
  expect(matchesPath(pattern, repository)).toBe(expected);
});

it.each(['', 'Team', 'a b', 'team/***', 'team/[ab]', 'x'.repeat(256)])(
  '%j is no pattern of repositories',
  (text) => {
    expect(isRepositoryPattern(text)).toBe(false);
  },
);

it('a repository matches its own name, and no pattern throws', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9._/*-]{1,40}$/), fc.string(), (pattern, name) => {
      fc.pre(isRepositoryPattern(pattern));
      matchesPath(pattern, name);
      if (!pattern.includes('*')) expect(matchesPath(pattern, pattern)).toBe(true);
    }),
  );
});

describe('a waiver', () => {
  it.each([
    ['who may push there', pushing('team'), 'team', true],
    ['who may push elsewhere', pushing('other'), 'team', false],
    ['who may push, for all folders', pushing('team'), null, false],
    ['a reviewer, for all folders', { ...REVIEWER, grants: [] }, null, true],
    ['who brings images into the mirror', bringing('hub'), 'hub', true],
    ['who deletes in the mirror', pushing('hub'), 'hub', true],
    ['who only reads the mirror', granted('hub', { canPull: true }), 'hub', false],
    ['who pushes elsewhere by the mirror', granted('hub', { canPushExternal: true }), 'hub', false],
    ['who pulls from elsewhere by a folder that is no mirror', bringing('team'), 'team', false],
    ['who pulls from elsewhere by another folder', bringing('team'), 'hub', false],
    ['who brings into a mirror, for another folder', bringing('hub'), 'team', false],
    ['who brings into a mirror, for all folders', bringing('hub'), null, false],
    ['a robot that brings in', { ...bringing('hub'), robotOf: 'team' }, 'hub', false],
  ])('is requested by %s', (_, principal, folder, allowed) => {
    expect(mayRequestWaiver(principal, { folder }, MIRRORS).allowed).toBe(allowed);
  });

  it.each([
    ['a folder', pushing('other'), 'team', /right to push to the folder team\.$/],
    ['a mirror that is read', granted('hub', { canPull: true }), 'hub', /\(can_pull_external\)/],
    ['a mirror that is not known', pushing('team'), 'hub', /right to push to the folder hub\.$/],
  ])('is refused with what is missing in %s', (_, principal, folder, words) => {
    expect(mayRequestWaiver(principal, { folder }, MIRRORS)).toMatchObject({
      ...{ allowed: false, code: 'WAIVER_FORBIDDEN' },
      reason: expect.stringMatching(words),
    });
  });

  it.each([
    ['another reviewer', REVIEWER, true],
    ['an administrator', { ...NOBODY, isAdmin: true }, true],
    ['any other account', NOBODY, false],
    ['its requester', { ...REVIEWER, id: 'u1' }, false],
    ['its requester, an administrator', { ...NOBODY, id: 'u1', isAdmin: true }, false],
  ])('is approved by %s: %s', (_, principal, allowed) => {
    expect(mayApproveWaiver(principal, waiverFixture()).allowed).toBe(allowed);
  });

  it.each([
    ['its requester', { ...NOBODY, id: 'u1' }, true],
    ['a reviewer', REVIEWER, true],
    ['any other account', NOBODY, false],
  ])('is revoked by %s: %s', (_, principal, allowed) => {
    expect(mayRevokeWaiver(principal, waiverFixture()).allowed).toBe(allowed);
  });

  it('needs as many different accounts as the setting says', () => {
    const requested = waiverFixture({ state: 'requested' });
    const once = withApproval(requested, { id: 'u2', username: 'u2' }, 2, NOW);
    expect(once.state).toBe('requested');
    expect(withApproval(once, { id: 'u2', username: 'u2' }, 2, NOW).state).toBe('requested');
    expect(withApproval(once, { id: 'u3', username: 'u3' }, 2, NOW).state).toBe('approved');
  });

  it('is no longer open after its end', () => {
    expect(isOpen(waiverFixture({ state: 'requested', expiresAt: NOW }), NOW)).toBe(false);
  });

  it.each([
    [daysLater(-1), false],
    [NOW, false],
    [daysLater(365), true],
    [daysLater(366), false],
  ])('may end at %s: %s', (end, expected) => {
    expect(isWaiverEnd(end, NOW)).toBe(expected);
  });
});

describe('the findings that a waiver is about', () => {
  const finding = { id: 'CVE-2026-1', package: 'openssl', installedVersion: '3.0.1' };
  const scope = {
    ...{ vulnerability: 'CVE-2026-1', package: null, packageVersion: null, digest: null },
    ...{ repository: null, folder: null },
  };
  it.each([
    ['every package of every image', {}, true],
    ['this package', { package: 'openssl' }, true],
    ['another package', { package: 'zlib' }, false],
    ['this version', { package: 'openssl', packageVersion: '3.0.1' }, true],
    ['another version', { package: 'openssl', packageVersion: '3.0.10' }, false],
    ['this image', { digest: 'sha256:a' }, true],
    ['another image', { digest: 'sha256:b' }, false],
    ['another vulnerability', { vulnerability: 'CVE-2026-2' }, false],
    ['a folder, which is not known yet', { folder: 'team' }, true],
  ])('for %s: %s', (_, change, about) => {
    expect(isAbout({ ...scope, ...change }, finding, 'sha256:a')).toBe(about);
  });

  it.each([
    ['every place', {}, true],
    ['the folder', { folder: 'team' }, true],
    ['another folder', { folder: 'prod' }, false],
    ['a pattern of the repository', { repository: 'team/*' }, true],
    ['another pattern', { repository: '*/web' }, false],
  ])('in %s: %s', (_, change, isIn) => {
    expect(isFor({ ...scope, ...change }, { folder: 'team', repository: 'team/app' })).toBe(isIn);
  });
});
