/**
 * The signing keys of issuers of identity tokens (OpenID Connect Discovery 1.0 § 4, RFC 7517):
 * fetched through the egress guard, cached, and fetched again for a key that is not known.
 */
import { unavailable } from '@portcullis/errors';
import type { Transport } from '@portcullis/oci/remote';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { fetchThrough } from './fetch-through.ts';

export interface Issuer {
  /** Exactly as in its tokens. */
  issuer: string;
  /** PEM; trusted in addition to the well-known authorities. */
  caCert: string | null;
}

/**
 * The issuer of rules, with the certificates of all of them: one rule may lack what another has, or
 * has the next authority already. Null: there is no rule.
 */
export function issuerOfRules(rules: readonly Issuer[]): Issuer | null {
  const [first] = rules;
  if (!first) return null;
  const certificates = new Set(rules.flatMap(({ caCert }) => caCert ?? []));
  const caCert = certificates.size === 0 ? null : [...certificates].join('\n');
  return { issuer: first.issuer, caCert };
}

/** @throws unavailable `ISSUER_UNAVAILABLE` */
export type IssuerKeys = (issuer: Issuer) => Promise<JWTVerifyGetKey>;

const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
const REMEMBERED_MS = 10 * 60_000;
const MOST_ISSUERS = 500;
const TIMEOUT_MS = 10_000;
/** An unknown key id makes no more requests than this to the issuer. */
const REFETCH_AFTER_MS = 5_000;

export function createIssuerKeys(transport: Transport): IssuerKeys {
  const known = new LRUCache<string, JWTVerifyGetKey>({ max: MOST_ISSUERS, ttl: REMEMBERED_MS });
  /** Callers are anonymous: an issuer that failed is not asked again at once. */
  const failed = new LRUCache<string, Error>({ max: MOST_ISSUERS, ttl: REFETCH_AFTER_MS });
  const running = new Map<string, Promise<JWTVerifyGetKey>>();

  async function discover({ issuer, caCert }: Issuer): Promise<JWTVerifyGetKey> {
    const fetch = fetchThrough(transport, caCert);
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) throw new Error(`its discovery answers ${response.status}`);
    const found = Discovery.parse(await response.json());
    if (found.issuer !== issuer) throw new Error('its discovery names another issuer');
    return createRemoteJWKSet(secure(new URL(found.jwks_uri), issuer), {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: REFETCH_AFTER_MS,
      cacheMaxAge: REMEMBERED_MS,
      [customFetch]: (url, options) =>
        fetch(url, {
          method: 'GET',
          headers: Object.fromEntries(options.headers),
          body: undefined,
          redirect: 'manual',
          signal: options.signal,
        }),
    });
  }

  return async function keysOf(issuer) {
    const key = JSON.stringify([issuer.issuer, issuer.caCert]);
    const cached = known.get(key);
    if (cached) return cached;
    const failure = failed.get(key);
    if (failure) throw failure;
    const pending = running.get(key) ?? discover(issuer).finally(() => running.delete(key));
    running.set(key, pending);
    try {
      const keys = await pending;
      known.set(key, keys);
      return keys;
    } catch (cause) {
      const fault = issuerUnavailable(cause);
      failed.set(key, fault);
      throw fault;
    }
  };
}

/** Keys over plain HTTP only from an issuer that has plain HTTP itself. */
function secure(address: URL, issuer: string): URL {
  if (address.protocol === 'https:' || issuer.startsWith('http:')) return address;
  throw new Error('its keys are not behind HTTPS');
}

export function issuerUnavailable(cause: unknown): Error {
  return unavailable(
    'ISSUER_UNAVAILABLE',
    'The keys of the issuer of this identity token can not be fetched.',
    { cause, retryAfter: 10 },
  );
}
