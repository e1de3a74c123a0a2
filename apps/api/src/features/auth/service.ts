/** Signs accounts in with a password, and changes passwords. */
import { foldersToPush, foldersWith, type KnownFolders, type Principal } from '@portcullis/domain';
import { conflict, forbidden, isAppError, unauthenticated } from '@portcullis/errors';
import type { Passwords } from '@portcullis/passwords';
import type { Contacts, Store, User } from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import type { CheckPassword } from '../../identity/password-check.ts';
import { type Principals, principalOf } from '../../identity/principals.ts';
import type { SessionService } from '../../identity/sessions.ts';

export interface AuthPorts {
  store: Pick<Store, 'users' | 'groups' | 'sessions'>;
  sessions: SessionService;
  principals: Pick<Principals, 'account' | 'mirrors'>;
  passwords: Pick<Passwords, 'hash'>;
  checkPassword: CheckPassword;
}

export interface LoggedInAccount {
  user: User;
  groups: { id: string; name: string }[];
  capabilities: { pullExternal: boolean; pushExternal: boolean; push: boolean };
}

export interface PasswordOrder {
  current: string;
  newPassword: string;
  clientIp: string;
}

export function createAuthService(ports: AuthPorts) {
  const { store, sessions, principals, passwords, checkPassword } = ports;

  async function login(username: string, password: string, clientIp: string) {
    const user = await checkPassword({ username, password, clientIp });
    const session = await sessions.open(user);
    await assertUnchanged(user);
    await store.users.loggedIn(user.id, new Date());
    const account = await principals.account(user.id);
    if (!account) throw overtaken();
    const principal = principalOf(account, { auth: 'session' });
    return { session, principal, account: await accountOf(principal) };
  }

  /**
   * A change that ended all sessions while this one was created did not end it: its token is not
   * returned.
   */
  async function assertUnchanged({ id, passwordHash }: User): Promise<void> {
    const now = await store.users.find(id);
    if (!now || now.disabled || now.passwordHash !== passwordHash) throw overtaken();
  }

  /** A folder that the caller has no permission on is as good as unknown. */
  function contacts(
    { id, isAdmin, grants }: Principal,
    folder: string | undefined,
  ): Promise<Contacts> {
    const isKnown = isAdmin || grants.some((grant) => grant.folder === folder);
    return store.users.findContacts(id, folder === undefined || isKnown ? folder : null);
  }

  async function accountOf(principal: Principal): Promise<LoggedInAccount> {
    const [user, groups] = await Promise.all([
      store.users.get(principal.id),
      store.groups.of(principal.id),
    ]);
    const mirrors = await principals.mirrors();
    return { user, groups, capabilities: capabilitiesOf(principal, mirrors) };
  }

  /** Ends the other sessions, which may have been opened with the old password. */
  async function changePassword(principal: Principal, order: PasswordOrder): Promise<void> {
    const user = await store.users.get(principal.id);
    if (user.passwordHash === null) throw notLocal();
    const { username } = user;
    await checkPassword({ username, password: order.current, clientIp: order.clientIp }).catch(
      refused,
    );
    if (order.current === order.newPassword) throw unchanged();
    const passwordHash = await passwords.hash(order.newPassword);
    await store.users.update(user.id, { passwordHash, mustChangePassword: false });
    await store.sessions.revokeAll(user.id, principal.tokenId);
  }

  return { login, accountOf, contacts, changePassword, logout: sessions.end };
}
export type AuthService = ReturnType<typeof createAuthService>;

function capabilitiesOf(
  { isAdmin, grants }: Principal,
  mirrors: KnownFolders['mirrors'],
): LoggedInAccount['capabilities'] {
  return {
    pullExternal: isAdmin || foldersWith(grants, 'pull_external').length > 0,
    pushExternal: isAdmin || foldersWith(grants, 'push_external').length > 0,
    push: isAdmin || foldersToPush(grants, mirrors).length > 0,
  };
}

function overtaken(): Error {
  return unauthenticated('LOGIN_FAILED', 'The username or the password is wrong.');
}

/** Not a 401: the session is valid, and the page must not end it. */
function refused(error: unknown): never {
  if (isAppError(error) && error.kind === 'unauthenticated')
    throw forbidden('PASSWORD_WRONG', 'The current password is wrong.');
  throw error;
}

function unchanged(): Error {
  return fieldInvalid('new_password', 'PASSWORD_UNCHANGED', 'The new password is the current one.');
}

export function notLocal(): Error {
  return conflict(
    'PASSWORD_NOT_LOCAL',
    'This account logs in at the identity provider, without a password here.',
  );
}
