import { describe, expect, it } from 'vitest';
import {
  decide,
  folderOf,
  foldersToAsk,
  foldersToPush,
  foldersWith,
  normalizeFolderName,
  ROOT_FOLDER,
} from './access.ts';
import type { FolderGrant } from './principal.ts';

const FOLDERS = new Set([ROOT_FOLDER, 'team', 'other']);
const NO_MIRRORS = new Map<string, never>();
const KNOWN = { folders: FOLDERS, mirrors: NO_MIRRORS };

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
    ...KNOWN,
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
      const decision = decide(user(), { action, repository, ...KNOWN });
      return decision.allowed ? '' : decision.reason.replace(repository.split('/')[0] ?? '', '');
    };
    for (const repository of ['nowhere/app', 'nowhere/a/b', 'teams/app', `${'x'.repeat(200)}/app`])
      expect(said(repository)).toBe(said('team/app'));
  },
);

describe('decide', () => {
  const inTeam = { repository: 'team/app', ...KNOWN };
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

describe('a mirror', () => {
  const mirrors = new Map([['team', { host: 'registry.example.com' }]]);
  const push = { action: 'push', repository: 'team/app', folders: FOLDERS, mirrors } as const;
  const may = grant('team', { canPush: true, canPullExternal: true });
  const refused = (example = '') => ({
    allowed: false,
    code: 'MIRROR_READ_ONLY',
    reason: `The folder team is a mirror of registry.example.com: its images come from there alone, at their first pull. Push to another folder${example}.`,
  });

  it('takes no push, from an administrator neither, and names a folder that does', () => {
    const admin = { ...user(), isAdmin: true };
    for (const question of [push, { ...push, operation: 'mount' as const }]) {
      expect(decide(admin, question)).toEqual(refused());
      expect(decide(user(may), question)).toEqual(refused());
      expect(decide(user(may, grant('other', { canPush: true })), question)).toEqual(
        refused(', such as other'),
      );
    }
  });

  it('is deleted from and judged at as any folder, and does not reveal itself', () => {
    for (const operation of ['delete', 'judge', 'attach'] as const)
      expect(decide(user(may), { ...push, operation }).allowed).toBe(true);
    expect(decide(user(grant('other', { canPush: true })), push)).toMatchObject({
      code: 'FOLDER_FORBIDDEN',
    });
  });

  it('is asked about by accounts that bring images in, which change nothing there', () => {
    const bringing = user(grant('team', { canPull: true, canPullExternal: true }));
    expect(decide(bringing, { ...push, operation: 'judge' }).allowed).toBe(true);
    for (const operation of ['delete', 'attach', 'mount', undefined] as const)
      expect(decide(bringing, { ...push, ...(operation && { operation }) }).allowed).toBe(false);
    const reading = user(
      grant('team', { canPull: true }),
      grant('other', { canPullExternal: true }),
    );
    for (const [account, question] of [
      [reading, push],
      [bringing, { ...push, mirrors: new Map() }],
    ] as const)
      expect(decide(account, { ...question, operation: 'judge' })).toMatchObject({
        code: 'FOLDER_FORBIDDEN',
      });
  });

  it('is named as what may be asked about by accounts that bring images in', () => {
    const bringing = grant('team', { canPullExternal: true });
    const grants = [grant('other', { canPush: true }), bringing, bringing];
    expect(foldersToAsk(grants, mirrors)).toEqual(['other', 'team']);
    expect(foldersToAsk(grants, new Map())).toEqual(['other']);
  });

  it('is no folder that an account may push to', () => {
    const grants = [may, grant('other', { canPush: true })];
    expect(foldersToPush(grants, mirrors)).toEqual(['other']);
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
