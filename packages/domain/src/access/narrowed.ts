/** Narrows an account to the scope of the token that authenticated it. */
import type { FolderGrant, Principal } from './principal.ts';
import { isLimited, TOKEN_ACTIONS, type TokenAction, type TokenScope } from './token-scope.ts';

/**
 * The account with the rights that the token leaves it. A limited token of an administrator has the
 * rights of an ordinary account with every grant in the folders of its scope.
 */
export function narrowed(
  principal: Principal,
  scope: TokenScope,
  /** The names of all folders. */
  all: ReadonlySet<string>,
): Principal {
  if (!isLimited(scope)) return principal;
  const actions = scope.actions === 'all' ? new Set(TOKEN_ACTIONS) : new Set(scope.actions);
  const held = principal.isAdmin ? [...all].map(fullGrant) : principal.grants;
  const folders = scope.folders === 'all' ? null : new Set(scope.folders);
  return {
    ...principal,
    isAdmin: false,
    canBypassVulnBlock:
      actions.has('bypass') && (principal.isAdmin || principal.canBypassVulnBlock),
    tokenActions: actions,
    tokenFolders: folders ?? 'all',
    grants: held
      .filter(({ folder }) => folders === null || folders.has(folder))
      .map((grant) => ({
        folder: grant.folder,
        canPull: grant.canPull && actions.has('pull'),
        canPush: grant.canPush && actions.has('push'),
        canPullExternal: grant.canPullExternal && actions.has('pull_external'),
        canPushExternal: grant.canPushExternal && actions.has('push_external'),
      })),
  };
}

function fullGrant(folder: string): FolderGrant {
  return { folder, canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
}

/**
 * Whether a REST operation accepts the caller's token. `needed` are the actions of which one is
 * enough, or `any`; without it only tokens that are not limited are accepted.
 */
export function mayCall(
  { tokenActions }: Pick<Principal, 'tokenActions'>,
  needed: readonly TokenAction[] | 'any' | undefined,
): boolean {
  if (tokenActions === undefined || needed === 'any') return true;
  return needed?.some((action) => tokenActions.has(action)) ?? false;
}
