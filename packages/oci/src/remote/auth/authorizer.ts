/** Sends requests to one registry with credentials, and again with new ones after a challenge. */

import type { Headers } from '../http/response-head.ts';
import type { Authorizations, ScopedRequest } from './session.ts';

interface Reply {
  status: number;
  headers: Headers;
  url: URL;
}

export interface Authorizer {
  /**
   * Sends a request and repeats it once with new credentials after a 401.
   * @param discard Releases the first response.
   */
  run<T extends Reply>(
    request: ScopedRequest,
    perform: (authorization: string | undefined) => Promise<T>,
    discard: (answer: T) => void,
  ): Promise<T>;
}

export function createAuthorizer(registry: URL, authorizations: Authorizations): Authorizer {
  return {
    async run(request, perform, discard) {
      const first = await authorizations.current(request);
      const reply = await perform(first);
      // A challenge of a redirect target does not apply to the registry.
      if (reply.status !== 401 || reply.url.origin !== registry.origin) return reply;
      const challenge = reply.headers['www-authenticate'];
      const second = await authorizations.renewed(request, challenge, first);
      if (second === undefined || second === first) return reply;
      discard(reply);
      return perform(second);
    },
  };
}
