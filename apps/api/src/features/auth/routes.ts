import { contract } from '@portcullis/contract';
import type { CookieOptions } from 'express';
import { SESSION_COOKIE } from '../../auth/credential.ts';
import { actorOf } from '../../http/audit.ts';
import type { Call } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { publicUrlOf } from '../../http/public-url.ts';
import { presentAccount } from './present.ts';
import type { AuthService } from './service.ts';

export function authRoutes(service: AuthService, publicUrl: string | null): Route[] {
  function cookieOptions(call: Call): CookieOptions {
    const secure = publicUrlOf(call.request, publicUrl).startsWith('https:');
    return { httpOnly: true, sameSite: 'strict', secure, path: '/' };
  }

  return implement(contract.auth, {
    async login({ body }, call) {
      call.actor({ id: null, name: body.username, auth: 'none' });
      const { session, principal, account } = await service.login(
        body.username,
        body.password,
        call.clientIp,
      );
      call.actor(actorOf(principal));
      call.cookie(SESSION_COOKIE, session.token, { ...cookieOptions(call), maxAge: session.seconds * 1000 });
      const user = presentAccount(account);
      return { access_token: session.token, token_type: 'bearer', expires_in: session.seconds, user };
    },

    async logout(_, call) {
      await service.logout(call.principal);
      call.response.clearCookie(SESSION_COOKIE, cookieOptions(call));
    },

    async changePassword({ body }, call) {
      const { current_password: current, new_password: wanted } = body;
      await service.changePassword(call.principal, { current, wanted, clientIp: call.clientIp });
    },

    async me(_, call) {
      return presentAccount(await service.accountOf(call.principal));
    },
  });
}
