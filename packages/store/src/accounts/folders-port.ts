import type { RetentionRule } from '@portcullis/domain/retention';
import type { FolderGate } from '../gate/port.ts';
import type { Page, PageOptions } from '../page-port.ts';

export interface Group {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  members: { id: string; username: string }[];
}

export interface Groups {
  find(id: string): Promise<Group | null>;
  get(id: string): Promise<Group>;
  /** Sorted by name. */
  list(page?: PageOptions): Promise<Page<Group>>;
  /** The groups that exist. */
  listByNames(names: readonly string[]): Promise<{ id: string; name: string }[]>;
  /** The groups of an account, sorted by name. */
  of(userId: string): Promise<{ id: string; name: string }[]>;
  /** Names are case-insensitive. @throws conflict `GROUP_NAME_TAKEN` */
  insertGroup(group: { name: string; description?: string }): Promise<Group>;
  update(id: string, change: { name?: string; description?: string }): Promise<Group>;
  remove(id: string): Promise<void>;
  /** A manual membership, which no identity provider removes. */
  addMember(groupId: string, userId: string): Promise<void>;
  /**
   * Replaces the memberships that an identity provider manages; manual ones stay. Groups that no
   * longer exist are skipped.
   */
  replaceProvided(userId: string, groupIds: readonly string[]): Promise<void>;
  /** Returns false where the account was not a member. */
  removeMember(groupId: string, userId: string): Promise<boolean>;
}

export interface GrantFlags {
  canPull: boolean;
  canPush: boolean;
  canPullExternal: boolean;
  canPushExternal: boolean;
}

export interface Grant extends GrantFlags {
  groupId: string;
  groupName: string;
}

export interface Folder extends FolderGate {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  /** Which tags are removed; null: none. */
  retention: RetentionRule | null;
  grants: Grant[];
}

/** What an administrator sets. */
export type FolderSettings = Partial<Pick<Folder, 'description' | 'retention' | keyof FolderGate>>;

/** What an account may do in a folder: the union of its groups' grants. */
export interface UserFolderGrant extends GrantFlags {
  folder: string;
}

export interface GroupFolderGrant extends UserFolderGrant {
  group: { id: string; name: string };
}

export interface Folders {
  /** The folder `__root__`, created at start-up. */
  ensureRoot(): Promise<Folder>;
  find(idOrName: string): Promise<Folder | null>;
  get(idOrName: string): Promise<Folder>;
  /** Sorted by name. */
  list(page?: PageOptions): Promise<Page<Folder>>;
  /** All names, sorted, including `__root__`. */
  names(): Promise<string[]>;
  grantsFor(userId: string): Promise<UserFolderGrant[]>;
  /** The same grants before the union, each with its group; sorted by folder, then group. */
  grantsByGroup(userId: string): Promise<GroupFolderGrant[]>;
  /** @throws conflict `FOLDER_NAME_TAKEN`, not_found `POLICY_UNKNOWN` */
  insertFolder(folder: { name: string } & FolderSettings): Promise<Folder>;
  /** @throws not_found `POLICY_UNKNOWN` */
  update(id: string, change: FolderSettings): Promise<Folder>;
  /** The gate's settings of every folder, by name. */
  gates(): Promise<Map<string, FolderGate>>;
  remove(id: string): Promise<void>;
  /** Replaces the grant of (folder, group); an omitted flag is false. */
  grant(folderId: string, groupId: string, flags: Partial<GrantFlags>): Promise<Grant>;
  /** Returns false where there was no grant. */
  revoke(folderId: string, groupId: string): Promise<boolean>;
}
