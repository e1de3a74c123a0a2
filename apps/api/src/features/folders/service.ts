/** Changes folders and grants, and explains which right an account has. */
import {
  type AccessAction,
  type AccessQuestion,
  type Explanation,
  explain,
  foldersToAsk,
  foldersWith,
  type KnownFolders,
  type Principal,
  ROOT_FOLDER,
} from '@portcullis/domain';
import { conflict, forbidden, isAppError, notFound } from '@portcullis/errors';
import type {
  Folder,
  FolderSettings,
  Grant,
  GrantFlags,
  GroupFolderGrant,
  Page,
  PageOptions,
  Store,
} from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import { assertGlobs, assertRuleGlobs } from './globs.ts';
import type { AssertMirror } from './mirror/check.ts';

export interface FolderPorts {
  store: Pick<Store, 'folders' | 'groups' | 'users' | 'policies' | 'mirrors'>;
  /**
   * Whether the built-in registry holds an image with this first segment.
   * @throws unavailable
   */
  holdsRepositories(segment: string): Promise<boolean>;
  assertMirror: AssertMirror;
}

/** A folder with the name of its policy; null: the default policy. */
export interface NamedGate {
  folder: Folder;
  policyName: string | null;
}

export interface Explained extends Pick<Explanation<GroupFolderGrant>, 'folder' | 'because'> {
  isAdmin: boolean;
  /** Null where it is allowed. */
  refusal: { code: string; reason: string } | null;
}

/** Applies regardless of the grants. */
const DISABLED = { code: 'ACCOUNT_DISABLED', reason: 'The account is disabled.' };

export function createFolderService({ store, holdsRepositories, assertMirror }: FolderPorts) {
  /**
   * Repositories with this first segment move from `__root__` to the new folder, which has no
   * grants yet.
   */
  async function create(folder: { name: string } & FolderSettings): Promise<Folder> {
    assertPatterns(folder);
    if (folder.mirror) await assertMirror(folder.name, folder.mirror);
    return withKnownPolicy(() => store.folders.insertFolder(folder));
  }

  async function update(
    idOrName: string,
    change: FolderSettings,
  ): Promise<{ before: NamedGate; after: NamedGate }> {
    assertPatterns(change);
    const before = await namePolicy(await store.folders.get(idOrName));
    const { id, name } = before.folder;
    if (change.mirror) await assertMirror(name, change.mirror);
    const after = await withKnownPolicy(() => store.folders.update(id, change));
    return { before, after: await namePolicy(after) };
  }

  async function namePolicy(folder: Folder): Promise<NamedGate> {
    const { policyId } = folder;
    const policy = policyId === null ? null : await store.policies.find(policyId);
    return { folder, policyName: policy?.name ?? null };
  }

  /** @throws not_found `FOLDER_UNKNOWN` also where the account may not pull from it */
  async function gate(principal: Principal, idOrName: string): Promise<NamedGate> {
    const folder = await store.folders.find(idOrName);
    const readable = principal.isAdmin || foldersWith(principal.grants, 'pull');
    if (folder && (readable === true || readable.includes(folder.name))) return namePolicy(folder);
    throw notFound('FOLDER_UNKNOWN', 'There is no such folder.');
  }

  /** With `force`, repositories remain and move to `__root__`; without it, there must be none. */
  async function remove(idOrName: string, { force }: { force: boolean }): Promise<Folder> {
    const folder = await store.folders.get(idOrName);
    if (folder.name === ROOT_FOLDER)
      throw forbidden('FOLDER_PROTECTED', `${ROOT_FOLDER} can't be deleted.`);
    if (!force && (await holdsRepositories(folder.name))) throw notEmpty(folder);
    await store.folders.remove(folder.id);
    return folder;
  }

  async function grant(
    idOrName: string,
    groupId: string,
    flags: GrantFlags,
  ): Promise<{ folder: Folder; grant: Grant }> {
    const [folder, group] = [await store.folders.get(idOrName), await store.groups.get(groupId)];
    const made = await store.folders.grant(folder.id, group.id, flags);
    return { folder, grant: made };
  }

  async function revoke(idOrName: string, groupId: string): Promise<Folder> {
    const folder = await store.folders.get(idOrName);
    if (!(await store.folders.revoke(folder.id, groupId)))
      throw notFound('PERMISSION_UNKNOWN', 'This group has no permissions in the folder.');
    return folder;
  }

  /** An administrator may do everything in all folders. */
  async function namesFor(principal: Principal, action: AccessAction): Promise<string[]> {
    return principal.isAdmin ? store.folders.names() : foldersWith(principal.grants, action);
  }

  /** No account pushes to a mirror. */
  async function pushableFor(principal: Principal): Promise<string[]> {
    const [names, mirrors] = await Promise.all([
      namesFor(principal, 'push'),
      store.mirrors.byFolder(),
    ]);
    return names.filter((name) => !mirrors.has(name));
  }

  /** Robots ask for nothing. */
  async function askableFor({ isAdmin, robotOf, grants }: Principal): Promise<string[]> {
    if (robotOf !== undefined) return [];
    return isAdmin ? store.folders.names() : foldersToAsk(grants, await store.mirrors.byFolder());
  }

  async function explainFor(
    userId: string,
    action: AccessAction,
    repository: string | undefined,
  ): Promise<Explained> {
    const { isAdmin, disabled } = await store.users.get(userId);
    const [grants, names, mirrors] = await Promise.all([
      store.folders.grantsByGroup(userId),
      store.folders.names(),
      store.mirrors.byFolder(),
    ]);
    const question = questionOf(action, repository, { folders: new Set(names), mirrors });
    const { folder, decision, because } = explain({ isAdmin, grants }, question);
    const refusal = disabled ? DISABLED : decision.allowed ? null : decision;
    return { isAdmin, folder, refusal, because };
  }

  return {
    list: (page: PageOptions): Promise<Page<Folder>> => store.folders.list(page),
    get: (idOrName: string): Promise<Folder> => store.folders.get(idOrName),
    names: (): Promise<string[]> => store.folders.names(),
    create,
    gate,
    update,
    remove,
    grant,
    revoke,
    namesFor,
    pushableFor,
    askableFor,
    explain: explainFor,
  };
}
export type FolderService = ReturnType<typeof createFolderService>;

/** @throws as `assertGlobs` */
function assertPatterns({ immutableTags = [], retention }: FolderSettings): void {
  if (retention) assertRuleGlobs(retention);
  assertGlobs('immutable_tags', immutableTags);
}

/** @throws invalid `POLICY_UNKNOWN` with the field */
async function withKnownPolicy<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isAppError(error) || error.code !== 'POLICY_UNKNOWN') throw error;
    throw fieldInvalid('policy_id', 'POLICY_UNKNOWN', 'There is no policy with this id.');
  }
}

function questionOf(
  action: AccessAction,
  repository: string | undefined,
  knownFolders: KnownFolders,
): AccessQuestion {
  return action === 'pull' || action === 'push'
    ? { action, repository: repository ?? '', ...knownFolders }
    : { action };
}

function notEmpty({ name }: Folder) {
  return conflict(
    'FOLDER_NOT_EMPTY',
    `The folder ${name} holds repositories. Delete them first, or force it: they stay, and fall to ${ROOT_FOLDER}.`,
  );
}
