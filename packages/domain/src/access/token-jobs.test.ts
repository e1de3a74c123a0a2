import { expect, it } from 'vitest';
import { narrowed } from './narrowed.ts';
import type { FolderGrant, Principal } from './principal.ts';
import { mayReadJobsOf, mayUseJobsOf } from './token-jobs.ts';
import type { TokenScope } from './token-scope.ts';

const FOLDERS = new Set(['__root__', 'a', 'b']);

function grantOf(folder: string): FolderGrant {
  return { folder, canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
}

const ACCOUNT: Principal = {
  id: 'ann',
  username: 'ann',
  isAdmin: false,
  canBypassVulnBlock: false,
  auth: 'token',
  grants: [grantOf('a'), grantOf('b')],
};
const LOCAL = '__local__';
const SCOPE = { api: true, registry: true };

function by(scope: Partial<TokenScope>, account = ACCOUNT): Principal {
  return narrowed(account, { ...SCOPE, folders: 'all', actions: 'all', ...scope }, FOLDERS);
}

it.each<[string, Principal, string | null, string, boolean, boolean]>([
  ['a session', { ...ACCOUNT, auth: 'session' }, LOCAL, 'b/app', true, true],
  ['a token that is not limited', by({}), LOCAL, 'b/app', true, true],
  ['one of the folder', by({ folders: ['b'] }), LOCAL, 'b/app', true, true],
  ['one of another folder', by({ folders: ['a'] }), LOCAL, 'b/app', false, false],
  [
    'one of another folder, of an administrator',
    by({ folders: ['a'] }, { ...ACCOUNT, isAdmin: true }),
    LOCAL,
    'b/app',
    false,
    false,
  ],
  ['one that may not pull', by({ actions: ['push'] }), LOCAL, 'b/app', false, false],
  ['one that may pull', by({ actions: ['pull'] }), LOCAL, 'b/app', true, true],
  ['one for reports', by({ actions: ['report'] }), LOCAL, 'b/app', false, true],
  [
    'one for reports of another folder',
    by({ folders: ['a'], actions: ['report'] }),
    LOCAL,
    'b/app',
    false,
    false,
  ],
  [
    'one without other registries',
    by({ actions: ['pull', 'push'] }),
    'saved',
    'x/app',
    false,
    false,
  ],
  [
    'one with other registries',
    by({ folders: ['a'], actions: ['pull_external'] }),
    'saved',
    'x/app',
    true,
    true,
  ],
  [
    'one with other registries',
    by({ folders: ['a'], actions: ['pull_external'] }),
    null,
    'x/app',
    true,
    true,
  ],
])(
  '%s: of the jobs of %3$s: uses %5$s, reads %6$s',
  (_, principal, registryId, repository, uses, reads) => {
    const source = { registryId, repository };
    expect(mayUseJobsOf(principal, source, FOLDERS)).toBe(uses);
    expect(mayReadJobsOf(principal, source, FOLDERS)).toBe(reads);
  },
);
