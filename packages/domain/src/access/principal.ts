/** What a group's members may do under one folder, already merged over the account's groups. */
export interface FolderGrant {
  /** The folder's name, `__root__` included. */
  folder: string;
  canPull: boolean;
  canPush: boolean;
  canPullExternal: boolean;
  canPushExternal: boolean;
}

export const AUTH_KINDS = ['session', 'token', 'basic', 'oidc', 'system'] as const;
export type AuthKind = (typeof AUTH_KINDS)[number];

/** Who asks, as of this very request: grants are never older than the last change of any. */
export interface Principal {
  id: string;
  username: string;
  isAdmin: boolean;
  canBypassVulnBlock: boolean;
  /** Until it does, it may do nothing else. */
  mustChangePassword?: boolean;
  auth: AuthKind;
  /** The personal access token or session that vouched. */
  tokenId?: string;
  grants: FolderGrant[];
}
