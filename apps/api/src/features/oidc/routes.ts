/** Serves the sign-in with a provider of OpenID Connect. */
import { contract } from '@portcullis/contract';
import { GROUP_NOTICE_COOKIE } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import type { CookieOptions } from 'express';
import { actorOf } from '../../http/audit.ts';
import type { ApiCall } from '../../http/call.ts';
import { isSecure, publicUrlOf } from '../../http/client/public-url.ts';
import { implement, type Route } from '../../http/implement.ts';
import { cookieName, cookieOf } from '../../identity/credential.ts';
import { setSessionCookie } from '../../identity/session-cookie.ts';
import { FLOW_SECONDS } from './flows.ts';
import { changeOf, presentConfig, presentSettings } from './present.ts';
import type { OidcService } from './service.ts';

const FLOW_COOKIE = 'pc_oidc';
const LOGOUT_COOKIE = 'pc_oidc_logout';
/** The page reads and removes the notice as soon as it is open. */
const NOTICE_MS = 5 * 60_000;

/** The audit event has the provider's words; the page shows ours. */
function note(call: ApiCall, error: unknown): unknown {
  const reason = isAppError(error) ? error.detail?.reason : undefined;
  if (typeof reason === 'string') call.note({ reason });
  return error;
}

export function oidcRoutes(service: OidcService, publicUrl: string | null): Route[] {
  const here = (call: ApiCall, path: string) => publicUrlOf(call.request, publicUrl) + path;
  const redirectUri = (call: ApiCall) => here(call, '/api/oidc/callback');

  const named = (call: ApiCall, name: string) =>
    cookieName(name, isSecure(call.request, publicUrl));

  /** Lax, because the redirect back comes from another site. */
  function options(call: ApiCall, sameSite: 'lax' | 'strict'): CookieOptions {
    return { httpOnly: true, sameSite, secure: isSecure(call.request, publicUrl), path: '/' };
  }

  return implement(contract.oidc, {
    async config() {
      return presentConfig(await service.config());
    },

    async login({ query }, call) {
      call.actor({ id: null, name: 'unknown', auth: 'oidc' });
      const { url, browser } = await service.begin(query.next ?? '/', redirectUri(call));
      call.cookie(named(call, FLOW_COOKIE), browser, {
        ...options(call, 'lax'),
        maxAge: FLOW_SECONDS * 1000,
      });
      return url;
    },

    async callback({ query }, call) {
      call.actor({ id: null, name: 'unknown', auth: 'oidc' });
      call.response.clearCookie(named(call, FLOW_COOKIE), options(call, 'lax'));
      const { search } = new URL(call.request.originalUrl, 'http://localhost');
      const browser = cookieOf(call.request.headers, named(call, FLOW_COOKIE));
      const answer = { state: query.state, search, browser };
      const { session, principal, ...rest } = await service
        .finish(answer)
        .catch((error: unknown) => Promise.reject(note(call, error)));
      call.actor(actorOf(principal));
      call.note(rest.notes);
      setSessionCookie(call, session, publicUrl);
      const maxAge = session.seconds * 1000;
      call.cookie(named(call, LOGOUT_COOKIE), rest.logoutTicket, {
        ...options(call, 'strict'),
        maxAge,
      });
      if (rest.groupNotice !== null)
        call.cookie(named(call, GROUP_NOTICE_COOKIE), rest.groupNotice, {
          ...options(call, 'strict'),
          httpOnly: false,
          maxAge: NOTICE_MS,
        });
      return rest.next;
    },

    async logout(_, call) {
      const ticket = cookieOf(call.request.headers, named(call, LOGOUT_COOKIE));
      call.response.clearCookie(named(call, LOGOUT_COOKIE), options(call, 'strict'));
      return (await service.logoutUrl(ticket, here(call, '/login'))) ?? '/login';
    },

    async settings() {
      return presentSettings(await service.settings());
    },

    async change({ body }, call) {
      call.about({ kind: 'settings', id: null, name: 'oidc' });
      call.note({ fields: Object.keys(body) });
      return presentSettings(await service.change(changeOf(body)));
    },

    async test({ body }, call) {
      const steps = await service.tried(changeOf(body), redirectUri(call));
      return { success: steps.every(({ ok }) => ok), steps };
    },
  });
}
