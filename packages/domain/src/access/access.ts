/** Who may do what where. What is not granted is denied; an administrator may do everything. */
import { ALLOWED, type Decision, denied } from './decision.ts';
import type { FolderGrant, Principal } from './principal.ts';

export const ROOT_FOLDER = '__root__';

/** `pull` and `push` are of the local registry, under a folder; the external ones hold wherever they are granted. */
export type AccessQuestion =
  | {
      action: 'pull' | 'push';
      operation?: WriteOperation;
      repository: string;
      folders: ReadonlySet<string>;
    }
  | { action: 'pull_external' | 'push_external' };
/** What the caller does with the right to push, where it isn't a push: a refusal says it. */
export type WriteOperation = 'delete' | 'mount';
export const ACCESS_ACTIONS = ['pull', 'push', 'pull_external', 'push_external'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

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

/** A decision with what it rests on. `Grant` may carry more than the rule needs: the group it came by. */
export interface Explanation<Grant extends FolderGrant> {
  /** The folder that governs; null where any folder will do. */
  folder: string | null;
  decision: Decision;
  /** Allowed: the grants that allow it. Refused: the caller's grants there, none of which does. Empty for an admin. */
  because: Grant[];
}

export function decide(
  principal: Pick<Principal, 'isAdmin' | 'grants'>,
  question: AccessQuestion,
): Decision {
  return explain(principal, question).decision;
}

/** `decide` with its reasons; there is no second rule for them. */
export function explain<Grant extends FolderGrant>(
  { isAdmin, grants }: { isAdmin: boolean; grants: readonly Grant[] },
  question: AccessQuestion,
): Explanation<Grant> {
  const folder = 'repository' in question ? folderOf(question.repository, question.folders) : null;
  if (isAdmin) return { folder, decision: ALLOWED, because: [] };
  const there = grants.filter((grant) => folder === null || grant.folder === folder);
  const allowing = there.filter((grant) => grant[FLAG[question.action]]);
  return allowing.length > 0
    ? { folder, decision: ALLOWED, because: allowing }
    : { folder, decision: refusal(question, folder), because: there };
}

function refusal(question: AccessQuestion, folder: string | null): Decision {
  switch (question.action) {
    case 'pull':
    case 'push':
      return denied('FOLDER_FORBIDDEN', refusalText(question.operation ?? question.action, folder));
    case 'pull_external':
      return NO_EXTERNAL_PULL;
    case 'push_external':
      return NO_EXTERNAL_PUSH;
  }
}

function refusalText(operation: WriteOperation | 'pull' | 'push', folder: string | null): string {
  switch (operation) {
    case 'pull':
    case 'push':
      return `You may not ${operation} under the folder ${folder}.`;
    case 'delete':
      return `You may not delete under the folder ${folder}: that needs the right to push there.`;
    case 'mount':
      return `You may not mount blobs under the folder ${folder}: that needs the right to push there.`;
  }
}

/** Whether a host could be used at all, be it ours or not: until then nobody has to find out which it is. */
export function mayUseHosts(
  { isAdmin, grants }: Pick<Principal, 'isAdmin' | 'grants'>,
  direction: 'pull' | 'push',
): boolean {
  return (
    isAdmin ||
    grants.some((grant) => grant[FLAG[direction]] || grant[FLAG[`${direction}_external`]])
  );
}

/** Whether another registry may be asked anything at all: by those who may pull from one or push to one. */
export function mayAskRegistries({
  isAdmin,
  grants,
}: Pick<Principal, 'isAdmin' | 'grants'>): Decision {
  const may =
    isAdmin ||
    grants.some(({ canPullExternal, canPushExternal }) => canPullExternal || canPushExternal);
  return may ? ALLOWED : NO_EXTERNAL_PULL;
}

const NO_EXTERNAL_PULL = denied(
  'PULL_EXTERNAL_FORBIDDEN',
  'You may not pull from external registries.',
);
const NO_EXTERNAL_PUSH = denied(
  'PUSH_EXTERNAL_FORBIDDEN',
  'You may not push to external registries.',
);

/** The names of the folders a flag is granted on, sorted: what `/folders/mine` and its siblings list. */
export function foldersWith(grants: FolderGrant[], action: AccessAction): string[] {
  const names = grants.filter((grant) => grant[FLAG[action]]).map((grant) => grant.folder);
  return [...new Set(names)].sort();
}

const FOLDER_NAME = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Trimmed and lower-cased; null where no repository could carry it as its first segment, and where it reads as an id:
 * a folder is addressed by its id or its name, and neither may ever mean another folder.
 */
export function normalizeFolderName(name: string): string | null {
  const tidy = name.trim().toLowerCase();
  return tidy.length <= 128 && FOLDER_NAME.test(tidy) && !UUID.test(tidy) ? tidy : null;
}
