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
  /** By name. */
  list(page?: PageOptions): Promise<Page<Group>>;
  /** Those that are there. */
  listByNames(names: readonly string[]): Promise<{ id: string; name: string }[]>;
  /** The groups of an account, by name. */
  of(userId: string): Promise<{ id: string; name: string }[]>;
  /** @throws conflict `GROUP_NAME_TAKEN`; upper and lower case are one name */
  insertGroup(group: { name: string; description?: string }): Promise<Group>;
  update(id: string, change: { name?: string; description?: string }): Promise<Group>;
  remove(id: string): Promise<void>;
  /** By hand: no identity provider takes it back. */
  addMember(groupId: string, userId: string): Promise<void>;
  /**
   * The memberships that an identity provider manages become these; those made by hand stay. Groups that are gone by
   * now are passed over.
   */
  replaceProvided(userId: string, groupIds: readonly string[]): Promise<void>;
  /** False where the account wasn't in it. */
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

export interface Folder {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  grants: Grant[];
}

/** What an account may do in a folder: the union of its groups' grants. */
export interface UserFolderGrant extends GrantFlags {
  folder: string;
}

export interface GroupFolderGrant extends UserFolderGrant {
  group: { id: string; name: string };
}

export interface Folders {
  /** `__root__`, made at start-up. */
  ensureRoot(): Promise<Folder>;
  find(idOrName: string): Promise<Folder | null>;
  get(idOrName: string): Promise<Folder>;
  /** By name. */
  list(page?: PageOptions): Promise<Page<Folder>>;
  /** All names, sorted; `__root__` included. */
  names(): Promise<string[]>;
  grantsFor(userId: string): Promise<UserFolderGrant[]>;
  /** The same, unmerged: each with the group it comes by; by folder, then group. */
  grantsByGroup(userId: string): Promise<GroupFolderGrant[]>;
  /** @throws conflict `FOLDER_NAME_TAKEN` */
  insertFolder(folder: { name: string; description?: string }): Promise<Folder>;
  update(id: string, change: { description: string }): Promise<Folder>;
  remove(id: string): Promise<void>;
  /** Sets the one entry of (folder, group); an absent flag is false. */
  grant(folderId: string, groupId: string, flags: Partial<GrantFlags>): Promise<Grant>;
  /** False where there was no entry. */
  revoke(folderId: string, groupId: string): Promise<boolean>;
}
