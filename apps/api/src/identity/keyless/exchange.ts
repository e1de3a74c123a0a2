/**
 * Exchanges identity tokens of CI systems for tokens of robots by trust rules: once on the REST API
 * (RFC 8693); on `/v2`, where clients repeat their password, for one address until it expires.
 *
 * A kubelet keeps the token of a pod for most of an hour, longer than what was given for it lasts.
 * Who shows what was given exchanges the identity token again; who has that one alone does not.
 */
import { randomUUID } from 'node:crypto';
import { accepts, type IdentityClaims } from '@portcullis/domain';
import { isAppError, unauthenticated } from '@portcullis/errors';
import type { Transport } from '@portcullis/oci/remote';
import { type Redis, withRedis } from '@portcullis/runtime';
import type { IdentityTrust, PersonalToken, Store } from '@portcullis/store';
import type { TokenGuesses } from '../password-throttle.ts';
import { hashOf, type IssuedToken, makeToken } from '../personal-tokens.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  claimedIssuer,
  tokenInvalid,
  type VerifiedIdentity,
  verifyIdentity,
} from './identity-token.ts';
import { createIssuerKeys, issuerOfRules } from './issuer-keys.ts';
import { type TestedIdentity, testIdentity } from './test-identity.ts';

export interface ExchangePorts {
  store: Pick<Store, 'identityTrusts' | 'tokens'>;
  redis: Redis;
  /** For addresses that administrators configure. */
  transport: Transport;
  guesses: TokenGuesses;
  now(): Date;
}

interface Exchange {
  clientIp: string;
  /** Which rule, where several accept the token. */
  trustName?: string | undefined;
  /** The token that was given for this identity token before; it may have ended. */
  formerToken?: string | undefined;
}

interface Exchanged {
  trust: IdentityTrust;
  issued: PersonalToken;
  token: string;
  claims: IdentityClaims;
}

export interface IdentityExchange {
  /**
   * @throws unauthenticated `IDENTITY_TOKEN_INVALID`, `IDENTITY_TOKEN_EXPIRED`,
   * `IDENTITY_TOKEN_REPLAYED`, `IDENTITY_UNTRUSTED`, unavailable, rate_limited
   */
  exchange(token: string, from: Exchange): Promise<Exchanged>;
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

  async function verify(token: string) {
    const claimed = claimedIssuer(token);
    if (claimed === null) throw tokenInvalid();
    const trusts = await store.identityTrusts.ofIssuer(claimed);
    const issuer = issuerOfRules(trusts);
    if (!issuer) throw untrusted();
    return { identity: await verifyIdentity(token, issuer, { keysOf, now: now() }), trusts };
  }

  /**
   * Unknown issuers and invalid tokens are counted for their address. A genuine token is no guess:
   * a kubelet shows one for each pull of a namespace without a rule, and all nodes of a cluster may
   * have the address of those that have one.
   */
  async function admit(token: string, clientIp: string, trustName?: string) {
    await guesses.assertAddress(clientIp);
    const { identity, trusts } = await verify(token).catch(async (error: unknown) => {
      if (!isAppError(error) || error.kind === 'unauthenticated')
        await guesses.countAddress(clientIp);
      throw error;
    });
    const trust = trusts.find(
      (rule) =>
        (trustName === undefined || rule.name === trustName) && accepts(rule, identity.claims),
    );
    if (!trust) throw untrusted();
    return { identity, trust };
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

  /** For as long as the identity token is accepted. */
  function noteMs({ expiresAt }: VerifiedIdentity): number {
    const left = expiresAt.getTime() - now().getTime() + CLOCK_TOLERANCE_SECONDS * 1000;
    return Math.max(1_000, left);
  }

  /** Null where this is the first use; else what the first use noted. */
  async function firstUse(identity: VerifiedIdentity, note: string) {
    const key = keyOf(identity);
    return withRedis('REDIS_UNAVAILABLE', async () => {
      const first = await redis.set(key, note, 'PX', noteMs(identity), 'NX');
      return first === 'OK' ? null : ((await redis.get(key)) ?? EXCHANGED);
    });
  }

  /** False where another note is there: of two that replace the same one succeeds. */
  async function replaceNote(identity: VerifiedIdentity, from: string, to: string | null) {
    const replaced = await withRedis('REDIS_UNAVAILABLE', () =>
      redis.eval(REPLACE, 1, keyOf(identity), from, to ?? '', noteMs(identity)),
    );
    return replaced === 1;
  }

  async function exchange(
    token: string,
    { clientIp, trustName, formerToken }: Exchange,
  ): Promise<Exchanged> {
    const { identity, trust } = await admit(token, clientIp, trustName);
    const made = makeToken('robot');
    const note = exchangedFor(made.hash);
    const before = await firstUse(identity, note);
    if (before !== null) {
      const shown = formerToken === undefined ? null : exchangedFor(hashOf(formerToken));
      if (shown !== before || !(await replaceNote(identity, before, note))) throw replayed();
    }
    const issued = await issue(trust, made).catch(async (error: unknown) => {
      // Else an outage would use up the token of a pod, for most of an hour.
      await replaceNote(identity, note, before).catch(() => {});
      throw error;
    });
    return { trust, issued, token: made.token, claims: identity.claims };
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
/** Replaces a note by another, or by none where that is empty. */
const REPLACE = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  if ARGV[2] == '' then redis.call('DEL', KEYS[1])
  else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
  return 1`;

function keyOf({ mark }: VerifiedIdentity): string {
  return `${USED_PREFIX}${mark}`;
}

function exchangedFor(hash: string): string {
  return `${EXCHANGED} ${hash}`;
}

function sameClient(noted: string, clientIp: string): string {
  const [tokenId = '', address] = noted.split(' ');
  if (tokenId === EXCHANGED || address !== clientIp) throw replayed();
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
