/**
 * Access rights: which account may pull and push where. The default is deny; administrators are
 * allowed everything.
 */
import { type Mirror, writtenHost } from '../mirror/mirror.ts';
import { ALLOWED, type Decision, denied } from './decision.ts';
import type { FolderGrant, Principal } from './principal.ts';

export const ROOT_FOLDER = '__root__';

/** Every folder, and which of them are mirrors. */
export interface KnownFolders {
  folders: ReadonlySet<string>;
  /** By the names of their folders. */
  mirrors: ReadonlyMap<string, Pick<Mirror, 'host'>>;
}

/**
 * `pull` and `push` apply to a folder of the local registry. The external actions need the flag on
 * any folder.
 */
export type AccessQuestion =
  | ({ action: 'pull'; operation?: undefined; repository: string } & Pick<KnownFolders, 'folders'>)
  | ({ action: 'pull' | 'push'; operation?: WriteOperation; repository: string } & KnownFolders)
  | { action: 'pull_external' | 'push_external'; operation?: undefined };
/**
 * What the right to push is needed for, if not for a push: the text of a refusal names it. `judge`:
 * to see what the policy there says of an image, and to ask for a review of it (`letsAsk`).
 * `attach`: to add the document of its waivers.
 */
export type WriteOperation = 'delete' | 'mount' | 'judge' | 'attach';
export const ACCESS_ACTIONS = ['pull', 'push', 'pull_external', 'push_external'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

const FLAG = {
  pull: 'canPull',
  push: 'canPush',
  pull_external: 'canPullExternal',
  push_external: 'canPushExternal',
} as const satisfies Record<AccessAction, keyof FolderGrant>;

/**
 * The folder of a repository: its first segment, if there are at least two and the folder exists;
 * otherwise the root. `folders` must be **all** folders, not only those of the caller: a folder
 * without a grant must not be treated as the root.
 */
export function folderOf(repository: string, folders: ReadonlySet<string>): string {
  const slash = repository.indexOf('/');
  const first = slash > 0 ? repository.slice(0, slash) : '';
  return first !== '' && first !== ROOT_FOLDER && folders.has(first) ? first : ROOT_FOLDER;
}

/**
 * A decision and the grants behind it. `Grant` may carry more than the rule needs, such as the
 * group.
 */
export interface Explanation<Grant extends FolderGrant> {
  /** The folder that was checked; null where any folder counts. */
  folder: string | null;
  decision: Decision;
  /**
   * Allowed: the grants that allow it. Refused: the caller's grants there. Empty for
   * administrators.
   */
  because: Grant[];
}

export function decide(
  principal: Pick<Principal, 'isAdmin' | 'grants' | 'tokenActions'>,
  question: AccessQuestion,
): Decision {
  return explain(principal, question).decision;
}

/** `decide` with its reasons: the same rule. */
export function explain<Grant extends FolderGrant>(
  {
    isAdmin,
    grants,
    tokenActions,
  }: Pick<Principal, 'isAdmin' | 'tokenActions'> & { grants: readonly Grant[] },
  question: AccessQuestion,
): Explanation<Grant> {
  const folder = 'repository' in question ? folderOf(question.repository, question.folders) : null;
  if (isDeletion(question) && tokenActions && !tokenActions.has('delete'))
    return { folder, decision: NO_DELETION, because: [] };
  const readOnly = folder === null ? null : mirrorRefusal({ isAdmin, grants }, question, folder);
  if (readOnly) return { folder, decision: readOnly, because: [] };
  if (isAdmin) return { folder, decision: ALLOWED, because: [] };
  const there = grants.filter((grant) => folder === null || grant.folder === folder);
  const allowing = there.filter((grant) => allows(grant, question));
  return allowing.length > 0
    ? { folder, decision: ALLOWED, because: allowing }
    : { folder, decision: refusalIn(question, there), because: there };
}

function allows(grant: FolderGrant, question: AccessQuestion): boolean {
  return question.operation === 'judge'
    ? letsAsk(grant, question.mirrors)
    : grant[FLAG[question.action]];
}

/**
 * Whether a grant lets its account ask about images of its folder: what the policy there says of
 * one, for a review, and for a waiver. In a mirror the first pull is the request, so that is for
 * accounts that bring images in as well.
 */
function letsAsk(
  { folder, canPush, canPullExternal }: FolderGrant,
  mirrors: KnownFolders['mirrors'],
): boolean {
  return canPush || (canPullExternal && mirrors.has(folder));
}

function isDeletion(question: AccessQuestion): boolean {
  return question.operation === 'delete';
}

/** What adds to the content of a folder. */
const ENTERS: ReadonlySet<WriteOperation | undefined> = new Set([undefined, 'mount']);

/**
 * What a mirror has comes from its upstream, so not even an administrator pushes there. Accounts
 * without any right on the folder do not learn that it is a mirror.
 */
function mirrorRefusal(
  { isAdmin, grants }: { isAdmin: boolean; grants: readonly FolderGrant[] },
  question: AccessQuestion,
  folder: string,
): Decision | null {
  if (question.action !== 'push' || !ENTERS.has(question.operation)) return null;
  const mirror = question.mirrors.get(folder);
  if (!mirror || !(isAdmin || grants.some((grant) => grant.folder === folder))) return null;
  const other = foldersToPush(grants, question.mirrors).find((name) => name !== ROOT_FOLDER);
  const example = other === undefined ? '' : `, such as ${other}`;
  return denied(
    'MIRROR_READ_ONLY',
    `The folder ${folder} is a mirror of ${writtenHost(mirror)}: its images come from there alone, at their first pull. Push to another folder${example}.`,
  );
}

/** @param there the grants of the caller on the folder of the question */
function refusalIn(question: AccessQuestion, there: readonly FolderGrant[]): Decision {
  const [held] = there;
  if (question.operation !== 'judge' || !held) return refusal(question);
  const needed = neededToAsk(held.folder, { grants: there, mirrors: question.mirrors });
  return denied('FOLDER_FORBIDDEN', `Asking about images there needs ${needed}.`);
}

/**
 * What an account lacks that may not ask about images of the folder, for the text of a refusal.
 * Only accounts with a right on the folder learn that it is a mirror.
 */
export function neededToAsk(
  folder: string,
  { grants, mirrors }: { grants: readonly FolderGrant[] } & Pick<KnownFolders, 'mirrors'>,
): string {
  const isKnown = grants.some((grant) => grant.folder === folder);
  return isKnown && mirrors.has(folder)
    ? `the right to pull from other registries (can_pull_external) on the mirror ${folder}`
    : `the right to push to the folder ${folder}`;
}

const NO_DELETION = denied(
  'TOKEN_ACTION',
  'The scope of this token does not have the action delete.',
);

function refusal(question: AccessQuestion): Decision {
  switch (question.action) {
    case 'pull':
    case 'push':
      return denied(
        'FOLDER_FORBIDDEN',
        refusalText(question.operation ?? question.action, refusedFolder(question.repository)),
      );
    case 'pull_external':
      return NO_EXTERNAL_PULL;
    case 'push_external':
      return NO_EXTERNAL_PUSH;
  }
}

/**
 * The folder that a refusal names: the same whether it exists or not, which other answers don't
 * reveal either.
 */
export function refusedFolder(repository: string): string {
  const slash = repository.indexOf('/');
  return slash > 0 ? repository.slice(0, slash) : ROOT_FOLDER;
}

function refusalText(operation: WriteOperation | 'pull' | 'push', folder: string): string {
  switch (operation) {
    case 'pull':
    case 'push':
      return `You may not ${operation} under the folder ${folder}.`;
    case 'judge':
    case 'attach':
      return refusalText('push', folder);
    case 'delete':
      return `You may not delete under the folder ${folder}: that needs the right to push there.`;
    case 'mount':
      return `You may not mount blobs under the folder ${folder}: that needs the right to push there.`;
  }
}

/** Whether the account may use any host at all. Checked before a host is resolved. */
export function mayUseHosts(
  { isAdmin, grants }: Pick<Principal, 'isAdmin' | 'grants'>,
  direction: 'pull' | 'push',
): boolean {
  return (
    isAdmin ||
    grants.some((grant) => grant[FLAG[direction]] || grant[FLAG[`${direction}_external`]])
  );
}

/** Whether the account may query other registries: it needs a right to pull from or push to one. */
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

/** Sorted names of the folders with this flag, for `/folders/mine` and its siblings. */
export function foldersWith(grants: readonly FolderGrant[], action: AccessAction): string[] {
  const names = grants.filter((grant) => grant[FLAG[action]]).map((grant) => grant.folder);
  return [...new Set(names)].sort();
}

/** Sorted names of the folders that an account may push to. */
export function foldersToPush(
  grants: readonly FolderGrant[],
  mirrors: KnownFolders['mirrors'],
): string[] {
  return foldersWith(grants, 'push').filter((folder) => !mirrors.has(folder));
}

/** Sorted names of the folders about whose images an account may ask. */
export function foldersToAsk(
  grants: readonly FolderGrant[],
  mirrors: KnownFolders['mirrors'],
): string[] {
  const names = grants.filter((grant) => letsAsk(grant, mirrors)).map(({ folder }) => folder);
  return [...new Set(names)].sort();
}

const FOLDER_NAME = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Trimmed and in lower case. Null for a name that no repository segment can have, and for a UUID:
 * folders are addressed by id or by name, so a name must not read as an id.
 */
export function normalizeFolderName(name: string): string | null {
  const tidy = name.trim().toLowerCase();
  return tidy.length <= 128 && FOLDER_NAME.test(tidy) && !UUID.test(tidy) ? tidy : null;
}
