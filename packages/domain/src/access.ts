/** Who may do what where (spec 5, Authorization rules). Default deny; an admin may do everything. */
import { ALLOWED, type Decision, denied } from './decision.ts';
import type { FolderGrant, Principal } from './principal.ts';

export const ROOT_FOLDER = '__root__';

/** `pull` and `push` are of the local registry, under a folder; the external ones hold wherever they are granted. */
export type AccessQuestion =
  | { action: 'pull' | 'push'; repository: string; folders: ReadonlySet<string> }
  | { action: 'pull_external' | 'push_external' };
export type AccessAction = AccessQuestion['action'];

const FLAG = {
  pull: 'canPull',
  push: 'canPush',
  pull_external: 'canPullExternal',
  push_external: 'canPushExternal',
} as const satisfies Record<AccessAction, keyof FolderGrant>;

/**
 * The folder that governs a repository: its first segment, if it has at least two and such a folder exists.
 * `folders` must be **every** folder there is, not the caller's: an ungranted one must not fall through to the root.
 */
export function folderOf(repository: string, folders: ReadonlySet<string>): string {
  const slash = repository.indexOf('/');
  const first = slash > 0 ? repository.slice(0, slash) : '';
  return first !== '' && first !== ROOT_FOLDER && folders.has(first) ? first : ROOT_FOLDER;
}

export function decide(principal: Pick<Principal, 'isAdmin' | 'grants'>, question: AccessQuestion): Decision {
  if (principal.isAdmin) return ALLOWED;
  const flag = FLAG[question.action];
  switch (question.action) {
    case 'pull':
    case 'push':
      return decideUnder(principal.grants, folderOf(question.repository, question.folders), question.action);
    case 'pull_external':
      return principal.grants.some((grant) => grant[flag]) ? ALLOWED : NO_EXTERNAL_PULL;
    case 'push_external':
      return principal.grants.some((grant) => grant[flag]) ? ALLOWED : NO_EXTERNAL_PUSH;
  }
}

function decideUnder(grants: FolderGrant[], folder: string, action: 'pull' | 'push'): Decision {
  if (grants.some((grant) => grant.folder === folder && grant[FLAG[action]])) return ALLOWED;
  return denied('FOLDER_FORBIDDEN', `You may not ${action} under the folder ${folder}.`);
}

const NO_EXTERNAL_PULL = denied('PULL_EXTERNAL_FORBIDDEN', 'You may not pull from external registries.');
const NO_EXTERNAL_PUSH = denied('PUSH_EXTERNAL_FORBIDDEN', 'You may not push to external registries.');

/** The names of the folders a flag is granted on, sorted: what `/folders/mine` and its siblings list. */
export function foldersWith(grants: FolderGrant[], action: AccessAction): string[] {
  const names = grants.filter((grant) => grant[FLAG[action]]).map((grant) => grant.folder);
  return [...new Set(names)].sort();
}

const FOLDER_NAME = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

/** Trimmed and lower-cased; null where no repository could carry it as its first segment. */
export function normaliseFolderName(name: string): string | null {
  const tidy = name.trim().toLowerCase();
  return tidy.length <= 128 && FOLDER_NAME.test(tidy) ? tidy : null;
}
