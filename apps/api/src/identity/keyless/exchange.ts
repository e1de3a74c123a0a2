/**
 * Exchanges identity tokens of CI systems for tokens of robots by trust rules: once on the REST API
 * (RFC 8693); on `/v2`, where clients repeat their password, for one address until it expires.
 */
import { randomUUID } from 'node:crypto';
import { accepts, type IdentityClaims } from '@portcullis/domain';
import { isAppError, unauthenticated } from '@portcullis/errors';
import type { Transport } from '@portcullis/oci/remote';
import { type Redis, withRedis } from '@portcullis/runtime';
import type { IdentityTrust, PersonalToken, Store } from '@portcullis/store';
import type { TokenGuesses } from '../password-throttle.ts';
import { type IssuedToken, makeToken } from '../personal-tokens.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  claimedIssuer,
  tokenInvalid,
  type VerifiedIdentity,
  verifyIdentity,
} from './identity-token.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { type TestedIdentity, testIdentity } from './test-identity.ts';

export interface ExchangePorts {
  store: Pick<Store, 'identityTrusts' | 'tokens'>;
  redis: Redis;
  /** For addresses that administrators configure. */
  transport: Transport;
  guesses: TokenGuesses;
  now(): Date;
}

interface Exchanged {
  trust: IdentityTrust;
  issued: PersonalToken;
  token: string;
  claims: IdentityClaims;
}

export interface IdentityExchange {
  /**
   * @param trustName which rule, where several accept the token
   * @throws unauthenticated `IDENTITY_TOKEN_INVALID`, `IDENTITY_TOKEN_EXPIRED`,
   * `IDENTITY_TOKEN_REPLAYED`, `IDENTITY_UNTRUSTED`, unavailable, rate_limited
   */
  exchange(
    token: string,
    from: { clientIp: string; trustName?: string | undefined },
  ): Promise<Exchanged>;
  /** The id of the robot's token that stands for the identity token on `/v2`. @throws as above */
  tokenIdOf(token: string, clientIp: string): Promise<string>;
  /** Compares the token with the rules of its issuer, without using it. */
  test(token: string): Promise<TestedIdentity>;
}

const USED_PREFIX = 'identity-token:';
const MINUTE_MS = 60_000;

export function createIdentityExchange(ports: ExchangePorts): IdentityExchange {
  const { store, redis, guesses, now } = ports;
  const keysOf = createIssuerKeys(ports.transport);

  async function verify(token: string, trustName?: string) {
    const issuer = claimedIssuer(token);
    if (issuer === null) throw tokenInvalid();
    const trusts = await store.identityTrusts.ofIssuer(issuer);
    const [first] = trusts;
    if (!first) throw untrusted();
    const identity = await verifyIdentity(token, first, { keysOf, now: now() });
    const trust = trusts.find(
      (rule) =>
        (trustName === undefined || rule.name === trustName) && accepts(rule, identity.claims),
    );
    if (!trust) throw untrusted();
    return { identity, trust };
  }

  /** Unknown issuers and invalid tokens are counted for their address. */
  async function admit(token: string, clientIp: string, trustName?: string) {
    await guesses.assertAddress(clientIp);
    try {
      return await verify(token, trustName);
    } catch (error) {
      if (!isAppError(error) || error.kind === 'unauthenticated')
        await guesses.countAddress(clientIp);
      throw error;
    }
  }

  async function issue(trust: IdentityTrust, made: IssuedToken) {
    const { id, name, robot, scope, minutes } = trust;
    const { hash, hint } = made;
    const expiresAt = new Date(now().getTime() + minutes * MINUTE_MS);
    const order = { userId: robot.id, name, scope, hash, hint, expiresAt, trustId: id };
    const issued = await store.tokens.insert(order);
    await assertUnchanged(trust, issued);
    await store.identityTrusts.used(id, now());
    return issued;
  }

  /** A change of the rule ends what it gave before; a token that came after is ended here. */
  async function assertUnchanged(before: IdentityTrust, { id }: PersonalToken): Promise<void> {
    const present = await store.identityTrusts.find(before.id);
    if (present && termsOf(present) === termsOf(before)) return;
    await store.tokens.remove(id);
    throw untrusted();
  }

  /** Null where this is the first use; else what the first use noted. */
  async function firstUse({ mark, expiresAt }: VerifiedIdentity, note: string) {
    const key = `${USED_PREFIX}${mark}`;
    const left = expiresAt.getTime() - now().getTime() + CLOCK_TOLERANCE_SECONDS * 1000;
    return withRedis('REDIS_UNAVAILABLE', async () => {
      const first = await redis.set(key, note, 'PX', Math.max(1_000, left), 'NX');
      return first === 'OK' ? null : ((await redis.get(key)) ?? EXCHANGED);
    });
  }

  async function exchange(
    token: string,
    { clientIp, trustName }: { clientIp: string; trustName?: string | undefined },
  ): Promise<Exchanged> {
    const { identity, trust } = await admit(token, clientIp, trustName);
    if ((await firstUse(identity, EXCHANGED)) !== null) throw replayed();
    const made = makeToken('robot');
    return { trust, issued: await issue(trust, made), token: made.token, claims: identity.claims };
  }

  /** The robot's token exists before its id is noted, so that a concurrent request finds it. */
  async function tokenIdOf(token: string, clientIp: string): Promise<string> {
    const { identity, trust } = await admit(token, clientIp);
    const noted = await withRedis('REDIS_UNAVAILABLE', () =>
      redis.get(`${USED_PREFIX}${identity.mark}`),
    );
    if (noted !== null) return sameClient(noted, clientIp);
    const issued = await issue(trust, { ...makeToken('robot'), hash: `keyless:${randomUUID()}` });
    const before = await firstUse(identity, `${issued.id} ${clientIp}`);
    if (before === null) return issued.id;
    await store.tokens.remove(issued.id);
    return sameClient(before, clientIp);
  }

  return {
    exchange,
    tokenIdOf,
    test: (token) => testIdentity(token, { trusts: store.identityTrusts, keysOf, now: now() }),
  };
}

function termsOf({ issuer, audience, conditions, robot, scope, minutes, enabled }: IdentityTrust) {
  return JSON.stringify([issuer, audience, conditions, robot.id, scope, minutes, enabled]);
}

const EXCHANGED = 'exchanged';

function sameClient(noted: string, clientIp: string): string {
  const [tokenId = '', address] = noted.split(' ');
  if (noted === EXCHANGED || address !== clientIp) throw replayed();
  return tokenId;
}

function replayed(): Error {
  return unauthenticated(
    'IDENTITY_TOKEN_REPLAYED',
    'The identity token was used before; request another one from the CI system.',
  );
}

function untrusted(): Error {
  return unauthenticated(
    'IDENTITY_UNTRUSTED',
    'No trust rule accepts the issuer, the audience and the claims of this identity token.',
  );
}
