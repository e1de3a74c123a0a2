import { describe, expect, it } from 'vitest';
import { decide, folderOf, foldersWith, normalizeFolderName, ROOT_FOLDER } from './access.ts';
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

it.each([
  ['pull', undefined, 'You may not pull under the folder team.'],
  ['push', undefined, 'You may not push under the folder team.'],
  [
    'push',
    'delete',
    'You may not delete under the folder team: that needs the right to push there.',
  ],
  [
    'push',
    'mount',
    'You may not mount blobs under the folder team: that needs the right to push there.',
  ],
] as const)('G10: a refusal of %s to %s says what was refused', (action, operation, message) => {
  const question = {
    action,
    repository: 'team/app',
    folders: FOLDERS,
    ...(operation && { operation }),
  };
  expect(decide(user(), question)).toEqual({
    allowed: false,
    code: 'FOLDER_FORBIDDEN',
    reason: message,
  });
});

it.each(['push', 'pull'] as const)(
  'a refusal of %s does not reveal which folders exist',
  (action) => {
    const said = (repository: string) => {
      const decision = decide(user(), { action, repository, folders: FOLDERS });
      return decision.allowed ? '' : decision.reason.replace(repository.split('/')[0] ?? '', '');
    };
    for (const repository of ['nowhere/app', 'nowhere/a/b', 'teams/app', `${'x'.repeat(200)}/app`])
      expect(said(repository)).toBe(said('team/app'));
  },
);

describe('decide', () => {
  const inTeam = { repository: 'team/app', folders: FOLDERS };
  it.each([
    ['no grant on the folder is a refusal', user(), 'pull', false],
    ['can_pull allows pulls', user(grant('team', { canPull: true })), 'pull', true],
    ['can_pull does not allow pushes', user(grant('team', { canPull: true })), 'push', false],
    ['can_push does not allow pulls', user(grant('team', { canPush: true })), 'pull', false],
    [
      'the external flags grant no local right',
      user(grant('team', { canPullExternal: true, canPushExternal: true })),
      'push',
      false,
    ],
    [
      'a grant on __root__ does not apply to an existing folder',
      user(grant(ROOT_FOLDER, { canPull: true, canPush: true })),
      'push',
      false,
    ],
    ['an admin may', { ...user(), isAdmin: true }, 'push', true],
  ] as const)('%s', (_, principal, action, allowed) => {
    expect(decide(principal, { action, ...inTeam }).allowed).toBe(allowed);
  });

  it('an external right applies on any folder that grants it, each right separately', () => {
    const puller = user(grant('other', { canPullExternal: true }));
    expect(decide(puller, { action: 'pull_external' }).allowed).toBe(true);
    expect(decide(puller, { action: 'push_external' })).toMatchObject({
      code: 'PUSH_EXTERNAL_FORBIDDEN',
    });
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
  ['0190a1b2-0000-7000-8000-00000000000a', null],
  ['_x', null],
  ['a/b', null],
  ['a b', null],
  ['', null],
])('the folder name %j becomes %j', (name, tidy) => {
  expect(normalizeFolderName(name)).toBe(tidy);
});
