/** Serves signing in, signing out, and what an account may do. */
import { contract } from '@portcullis/contract';
import { isAppError } from '@portcullis/errors';
import { actorOf } from '../../http/audit.ts';
import { implement, type Route } from '../../http/implement.ts';
import type { Authenticate } from '../../identity/authenticate.ts';
import { clearSessionCookie, setSessionCookie } from '../../identity/session-cookie.ts';
import type { AuthService, LoggedInAccount } from './service.ts';

interface AuthRoutesPorts extends Pick<Authenticate, 'authenticate'> {
  service: AuthService;
  publicUrl: string | null;
}

export function authRoutes({ service, authenticate, publicUrl }: AuthRoutesPorts): Route[] {
  return implement(contract.auth, {
    async login({ body }, call) {
      call.actor({ id: null, name: body.username, auth: 'none' });
      const { session, principal, account } = await service.login(
        body.username,
        body.password,
        call.clientIp,
      );
      call.actor(actorOf(principal));
      setSessionCookie(call, session, publicUrl);
      return {
        accessToken: session.token,
        tokenType: 'bearer',
        expiresIn: session.seconds,
        user: withGroups(account),
      };
    },

    async logout(_, call) {
      await service.logout(call.principal);
      clearSessionCookie(call, publicUrl);
    },

    async changePassword({ body }, call) {
      const { current_password: current, new_password: newPassword } = body;
      await service.changePassword(call.principal, {
        current,
        newPassword,
        clientIp: call.clientIp,
      });
    },

    listContacts: ({ query }, call) => service.contacts(call.principal, query.folder),

    async me(_, call) {
      return withGroups(await service.accountOf(call.principal));
    },

    async session(_, { request }) {
      const principal = await authenticate(request).catch(nullIfUnauthenticated);
      return { user: principal && withGroups(await service.accountOf(principal)) };
    },
  });
}

function withGroups({ user, ...rest }: LoggedInAccount) {
  return { ...user, ...rest };
}

function nullIfUnauthenticated(error: unknown): null {
  if (isAppError(error) && error.kind === 'unauthenticated') return null;
  throw error;
}
