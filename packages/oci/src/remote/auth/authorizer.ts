/** Answers authentication challenges (Basic or Bearer) and reuses the answer for later requests. */

import type { Headers } from '../http/response-head.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import { mergeScopes } from './scope.ts';
import { basicAuthorization, createTokenSource, type TokenSourceOptions } from './token.ts';

interface Reply {
  status: number;
  headers: Headers;
  url: URL;
}

interface Authorized {
  scopes: readonly string[];
  signal?: AbortSignal | undefined;
}

export interface Authorizer {
  /**
   * Sends a request and repeats it once with new credentials after a 401.
   * @param discard Releases the first response.
   */
  run<T extends Reply>(
    request: Authorized,
    perform: (authorization: string | undefined) => Promise<T>,
    discard: (answer: T) => void,
  ): Promise<T>;
}

export function createAuthorizer(options: TokenSourceOptions): Authorizer {
  const { registry, credentials } = options;
  const tokens = createTokenSource(options);
  let remembered: Challenge | undefined;

  return {
    async run(request, perform, discard) {
      const first = remembered && (await answer(remembered, request, undefined));
      const reply = await perform(first);
      // A challenge of a redirect target does not apply to the registry.
      if (reply.status !== 401 || reply.url.origin !== registry.origin) return reply;
      const challenge = choose(parseChallenges(reply.headers['www-authenticate']));
      const second = challenge && (await answer(challenge, request, first));
      if (second === undefined || second === first) return reply;
      remembered = challenge;
      discard(reply);
      return perform(second);
    },
  };

  function choose(challenges: readonly Challenge[]): Challenge | undefined {
    const bearer = challenges.find(({ scheme, params }) => scheme === 'bearer' && params.realm);
    return bearer ?? challenges.find(({ scheme }) => scheme === 'basic' && credentials);
  }

  async function answer(challenge: Challenge, request: Authorized, refused: string | undefined) {
    if (challenge.scheme === 'basic') return credentials && basicAuthorization(credentials);
    if (refused?.startsWith('Bearer ')) tokens.discard(refused.slice('Bearer '.length));
    const { realm = '', service } = challenge.params;
    // The scope of a challenge belongs to the request that it answered, not to later ones.
    const stated = challenge === remembered ? [] : (challenge.params.scope ?? '').split(' ');
    const scopes = mergeScopes(request.scopes, stated);
    return `Bearer ${await tokens.get({ realm, service, scopes }, request.signal)}`;
  }
}
