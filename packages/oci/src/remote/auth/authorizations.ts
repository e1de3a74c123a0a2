/** Answers authentication challenges (Basic or Bearer) and reuses the answer for later requests. */
import { type Challenge, parseChallenges } from './challenge.ts';
import { trustsRealm } from './realm.ts';
import { mergeScopes } from './scope.ts';
import type { Authorizations, ScopedRequest } from './session.ts';
import { basicAuthorization, createTokenSource, type TokenSourceOptions } from './token.ts';

export interface OwnAuthorizations extends Authorizations {
  /** The token service that may not have the credentials. */
  withheldFrom(): string | undefined;
}

export function createAuthorizations(options: TokenSourceOptions): OwnAuthorizations {
  const { credentials, registry, tokenHosts } = options;
  const tokens = createTokenSource(options);
  let remembered: Challenge | undefined;

  return {
    withheldFrom() {
      const realm = URL.parse(remembered?.params.realm ?? '');
      if (!credentials || remembered?.scheme !== 'bearer' || !realm) return undefined;
      return trustsRealm(registry, realm, tokenHosts) ? undefined : realm.host;
    },
    current: async (request) => remembered && answer(remembered, request, undefined),
    async renewed(request, header, refused) {
      const challenge = choose(parseChallenges(header));
      const renewed = challenge && (await answer(challenge, request, refused));
      if (renewed !== undefined && renewed !== refused) remembered = challenge;
      return renewed;
    },
  };

  function choose(challenges: readonly Challenge[]): Challenge | undefined {
    const bearer = challenges.find(({ scheme, params }) => scheme === 'bearer' && params.realm);
    return bearer ?? challenges.find(({ scheme }) => scheme === 'basic' && credentials);
  }

  async function answer(challenge: Challenge, request: ScopedRequest, refused: string | undefined) {
    if (challenge.scheme === 'basic') return credentials && basicAuthorization(credentials);
    if (refused?.startsWith('Bearer ')) tokens.discard(refused.slice('Bearer '.length));
    const { realm = '', service } = challenge.params;
    // The scope of a challenge belongs to the request that it answered, not to later ones.
    const stated = challenge === remembered ? [] : (challenge.params.scope ?? '').split(' ');
    const scopes = mergeScopes(request.scopes, stated);
    return `Bearer ${await tokens.get({ realm, service, scopes }, request.signal)}`;
  }
}
