/** Authenticates a REST request by its session or personal access token. */
import type { IncomingMessage } from 'node:http';
import type { Principal } from '@portcullis/domain';
import { unauthenticated } from '@portcullis/errors';
import { isSecure } from '../http/client/public-url.ts';
import { credentialOf } from './credential.ts';
import { isPersonalToken, type PersonalTokenService } from './personal-tokens.ts';
import type { SessionService } from './sessions.ts';
import { tokenInvalid } from './tokens.ts';

export interface Authenticate {
  /** Null without a credential. @throws unauthenticated */
  authenticate(
    request: Pick<IncomingMessage, 'headers'> & { protocol: string; ip?: string | undefined },
  ): Promise<Principal | null>;
  /**
   * The principal with its present rights, for long responses; null once its session, token or
   * account is gone.
   */
  current(principal: Principal): Promise<Principal | null>;
}

type Asking = Parameters<Authenticate['authenticate']>[0];

export function createAuthenticate(ports: {
  sessions: SessionService;
  tokens: PersonalTokenService;
  publicUrl: string | null;
}): Authenticate {
  const { sessions, tokens, publicUrl } = ports;
  const running = new WeakMap<Asking, Promise<Principal | null>>();

  async function ask(request: Asking): Promise<Principal | null> {
    const credential = credentialOf(request, isSecure(request, publicUrl));
    if (!credential) return null;
    // Which of them is ours is not known, and to clear ours would leave the other.
    if (credential.kind === 'two_cookies') throw tokenInvalid();
    if (credential.kind !== 'bearer')
      throw unauthenticated('CREDENTIAL_UNSUPPORTED', 'Send a bearer token.');
    const { token, from } = credential;
    const personal = from === 'header' && isPersonalToken(token);
    const principal = await (personal
      ? tokens.principalOf(token, 'api', request.ip ?? '')
      : sessions.principalOf(token));
    if (!principal) throw tokenInvalid();
    return principal;
  }

  return {
    /** Memoized per request: the rate limit and the route both ask. */
    authenticate(request) {
      const pending = running.get(request) ?? ask(request);
      running.set(request, pending);
      return pending;
    },

    async current({ auth, tokenId }) {
      if (tokenId === undefined) return null;
      return auth === 'token' ? tokens.byId(tokenId, 'api') : sessions.byId(tokenId);
    },
  };
}
