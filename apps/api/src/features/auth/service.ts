import { foldersWith, type Principal } from '@portcullis/domain';
import type { Store, User } from '@portcullis/store';
import type { CheckPassword } from '../../auth/password-check.ts';
import { principalOf } from '../../auth/principals.ts';
import type { OpenedSession, Sessions } from '../../auth/sessions.ts';

export interface AuthPorts {
  store: Store;
  sessions: Sessions;
  checkPassword: CheckPassword;
}

export interface Account {
  user: User;
  groups: { id: string; name: string }[];
  capabilities: { pullExternal: boolean; pushExternal: boolean; push: boolean };
}

export function createAuthService({ store, sessions, checkPassword }: AuthPorts) {
  async function login(username: string, password: string, clientIp: string) {
    const user = await checkPassword({ username, password, clientIp });
    const session = await sessions.open(user);
    await store.users.loggedIn(user.id, new Date());
    const principal = await principalOf(store, user, { auth: 'session' });
    return { session, principal, account: await accountOf(principal) };
  }

  async function accountOf(principal: Principal): Promise<Account> {
    const [user, groups] = await Promise.all([store.users.get(principal.id), store.groups.of(principal.id)]);
    return { user, groups, capabilities: capabilitiesOf(principal) };
  }

  return { login, accountOf, logout: sessions.end };
}
export type AuthService = ReturnType<typeof createAuthService>;
export type { OpenedSession };

function capabilitiesOf({ isAdmin, grants }: Principal): Account['capabilities'] {
  return {
    pullExternal: isAdmin || foldersWith(grants, 'pull_external').length > 0,
    pushExternal: isAdmin || foldersWith(grants, 'push_external').length > 0,
    push: isAdmin || foldersWith(grants, 'push').length > 0,
  };
}
