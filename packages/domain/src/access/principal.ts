import type { TokenAction } from './token-scope.ts';

/** The flags of an account on one folder, merged over its groups. */
export interface FolderGrant {
  /** Name of the folder; `__root__` for the root. */
  folder: string;
  canPull: boolean;
  canPush: boolean;
  canPullExternal: boolean;
  canPushExternal: boolean;
}

export const AUTH_KINDS = ['session', 'token', 'basic', 'oidc', 'system'] as const;
export type AuthKind = (typeof AUTH_KINDS)[number];

/** The account behind a request, with the grants of this moment. */
export interface Principal {
  id: string;
  username: string;
  isAdmin: boolean;
  canBypassVulnBlock: boolean;
  /** Whether all other requests are refused until the password is changed. */
  mustChangePassword?: boolean;
  auth: AuthKind;
  /** Id of the personal access token or session that authenticated the request. */
  tokenId?: string;
  /** Set for a limited token; the grants are then those that its scope leaves. */
  tokenActions?: ReadonlySet<TokenAction>;
  /** Of a limited token: the folders of its scope. */
  tokenFolders?: ReadonlySet<string> | 'all';
  /** Of a robot: the name of the group that owns it; null where administrators do. */
  robotOf?: string | null;
  grants: FolderGrant[];
}
