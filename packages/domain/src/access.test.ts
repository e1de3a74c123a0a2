import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, folderOf, foldersWith, normaliseFolderName, ROOT_FOLDER } from './access.ts';
import type { FolderGrant } from './principal.ts';

const FOLDERS = new Set([ROOT_FOLDER, 'team', 'other']);

function grant(folder: string, flags: Partial<FolderGrant>): FolderGrant {
  const none = { canPull: false, canPush: false, canPullExternal: false, canPushExternal: false };
  return { folder, ...none, ...flags };
}

function user(...grants: FolderGrant[]) {
  return { isAdmin: false, grants };
}

describe('folderOf', () => {
  it.each([
    ['team/app', 'team'],
    ['team/app/web', 'team'],
    ['other/team', 'other'],
    ['team', ROOT_FOLDER],
    ['app', ROOT_FOLDER],
    ['unknown/app', ROOT_FOLDER],
    ['teams/app', ROOT_FOLDER],
    ['__root__/app', ROOT_FOLDER],
    ['/team/app', ROOT_FOLDER],
  ])('%s belongs to %s', (repository, folder) => {
    expect(folderOf(repository, FOLDERS)).toBe(folder);
  });
});

describe('decide', () => {
  const inTeam = { repository: 'team/app', folders: FOLDERS };
  it.each([
    ['no entry on the folder is a refusal', user(), 'pull', false],
    ['can_pull lets pull', user(grant('team', { canPull: true })), 'pull', true],
    ['can_pull does not let push', user(grant('team', { canPull: true })), 'push', false],
    ['can_push does not let pull', user(grant('team', { canPush: true })), 'pull', false],
    [
      'the external flags are no local right',
      user(grant('team', { canPullExternal: true, canPushExternal: true })),
      'push',
      false,
    ],
    [
      'a grant on __root__ is none on an existing folder',
      user(grant(ROOT_FOLDER, { canPull: true, canPush: true })),
      'push',
      false,
    ],
    ['an admin may', { ...user(), isAdmin: true }, 'push', true],
  ] as const)('%s', (_, principal, action, allowed) => {
    expect(decide(principal, { action, ...inTeam }).allowed).toBe(allowed);
  });

  it('an external right holds on any folder it is granted on, and each is its own', () => {
    const puller = user(grant('other', { canPullExternal: true }));
    expect(decide(puller, { action: 'pull_external' }).allowed).toBe(true);
    expect(decide(puller, { action: 'push_external' })).toMatchObject({ code: 'PUSH_EXTERNAL_FORBIDDEN' });
  });

  it('depends on grants of the resolved folder only', () => {
    const flags = fc.record({ canPull: fc.boolean(), canPush: fc.boolean() });
    fc.assert(
      fc.property(
        fc.constantFrom('team/a', 'other/a', 'x/a', 'team'),
        flags,
        flags,
        (repository, here, elsewhere) => {
          const folder = folderOf(repository, FOLDERS);
          const rest = [...FOLDERS].filter((name) => name !== folder).map((name) => grant(name, elsewhere));
          const principal = user(grant(folder, here), ...rest);
          expect(decide(principal, { action: 'pull', repository, folders: FOLDERS }).allowed).toBe(
            here.canPull,
          );
          expect(decide(principal, { action: 'push', repository, folders: FOLDERS }).allowed).toBe(
            here.canPush,
          );
        },
      ),
    );
  });
});

it('lists folders by flag, sorted', () => {
  const grants = [
    grant('team', { canPull: true }),
    grant(ROOT_FOLDER, { canPull: true }),
    grant('other', {}),
  ];
  expect(foldersWith(grants, 'pull')).toEqual([ROOT_FOLDER, 'team']);
});

it.each([
  [' Team-A ', 'team-a'],
  ['a.b_c', 'a.b_c'],
  ['__root__', null],
  ['_x', null],
  ['a/b', null],
  ['a b', null],
  ['', null],
])('the folder name %j becomes %j', (name, tidy) => {
  expect(normaliseFolderName(name)).toBe(tidy);
});
