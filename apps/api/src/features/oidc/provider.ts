/**
 * The client of the identity provider, on a certified library: discovery, authorization redirect
 * and callback.
 */
import { createHash } from 'node:crypto';
import {
  type AppError,
  forbidden,
  isAppError,
  unauthenticated,
  unavailable,
} from '@portcullis/errors';
import { registryWords, type Transport } from '@portcullis/oci/remote';
import type { Logger, Sealer } from '@portcullis/runtime';
import * as client from 'openid-client';
import { z } from 'zod';
import { fetchThrough } from '../../identity/keyless/fetch-through.ts';
import { claimFromSource } from './claim-source.ts';
import { type OidcClaims, saysEnough } from './claims.ts';
import type { Flow } from './flows.ts';
import { isSecure, type TokenAuthMethod, type Usable } from './settings.ts';

export interface Identified {
  /** Verified values of the id_token. */
  issuer: string;
  subject: string;
  claims: OidcClaims;
  idToken: string;
}

export interface Providers {
  /** @throws unavailable `OIDC_PROVIDER_UNAVAILABLE` */
  authorizationUrl(settings: Usable, flow: Flow & { state: string }): Promise<string>;
  /** @throws unauthenticated `OIDC_LOGIN_FAILED`, forbidden `OIDC_DENIED`, unavailable */
  identify(
    settings: Usable,
    flow: Flow,
    answer: { state: string; search: string },
  ): Promise<Identified>;
  /** Null if the provider has no logout endpoint. */
  logoutUrl(settings: Usable, hint: string | null, backTo: string): Promise<string | null>;
  /** Uncached; throws the library's errors. */
  discover(settings: Usable): Promise<client.Configuration>;
  /** The number of keys in the set at an address; throws any failure. */
  countKeys(settings: Usable, address: string): Promise<number>;
}

/** Keys and endpoints rarely change; the library fetches new keys when a token needs one. */
const REMEMBERED_MS = 10 * 60_000;
/** For the whole of an answer. */
const PATIENCE_MS = 10_000;
const JwkSet = z.looseObject({ keys: z.array(z.unknown()) });

export function createProviders(ports: {
  transport: Transport;
  sealer: Sealer;
  log: Logger;
  now(): number;
  patienceMs?: number;
}): Providers {
  const { patienceMs = PATIENCE_MS } = ports;
  let known: { key: string; until: number; configuration: client.Configuration } | null = null;

  async function connect(settings: Usable): Promise<client.Configuration> {
    const key = keyOf(settings);
    if (known?.key === key && known.until > ports.now()) return known.configuration;
    const configuration = await callProvider(ports.log, () => discover(settings));
    known = { key, until: ports.now() + REMEMBERED_MS, configuration };
    return configuration;
  }

  async function discover(settings: Usable): Promise<client.Configuration> {
    const { issuer, clientId, sealedSecret, tokenAuthMethod, clockToleranceSeconds } = settings;
    const secret = sealedSecret && ports.sealer.open(sealedSecret);
    // By default the library relies on TLS for tokens from the token endpoint; we verify signatures
    // too.
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.startsWith('http:') && isSecure(settings))
      execute.push(client.allowInsecureRequests);
    const metadata = { [client.clockTolerance]: clockToleranceSeconds };
    const method = authentication(secret, tokenAuthMethod);
    return client.discovery(new URL(issuer), clientId, metadata, method, {
      execute,
      timeout: patienceMs / 1000,
      [client.customFetch]: fetchThrough(ports.transport, settings.caCert),
    });
  }

  async function authorizationUrl(
    settings: Usable,
    flow: Flow & { state: string },
  ): Promise<string> {
    const configuration = await connect(settings);
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: flow.redirectUri,
      scope: [...new Set(['openid', ...settings.scopes])].join(' '),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    }).href;
  }

  async function identify(
    settings: Usable,
    flow: Flow,
    { state, search }: { state: string; search: string },
  ): Promise<Identified> {
    const configuration = await connect(settings);
    const tokens = await callProvider(ports.log, () =>
      client.authorizationCodeGrant(configuration, new URL(search, flow.redirectUri), {
        expectedState: state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      }),
    );
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined)
      throw new Error('the library promised an id_token');
    const more = await callProvider(ports.log, () =>
      moreClaims(configuration, settings, { claims, accessToken: tokens.access_token }),
    );
    const { iss: issuer, sub: subject } = claims;
    const all = { ...more, ...present(claims) };
    const fetched = saysEnough(all, settings)
      ? {}
      : await claimFromSource(all, settings.groupsClaim, {
          fetch: fetchThrough(ports.transport, settings.caCert),
          accessToken: tokens.access_token,
          signal: AbortSignal.timeout(patienceMs),
          trusted: [issuer, configuration.serverMetadata().userinfo_endpoint ?? ''],
        });
    return { issuer, subject, claims: { ...all, ...fetched }, idToken: tokens.id_token };
  }

  async function logoutUrl(
    settings: Usable,
    hint: string | null,
    backTo: string,
  ): Promise<string | null> {
    const configuration = await connect(settings);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const parameters = {
      post_logout_redirect_uri: backTo,
      ...(hint !== null && { id_token_hint: hint }),
    };
    return client.buildEndSessionUrl(configuration, parameters).href;
  }

  async function countKeys({ caCert }: Usable, address: string): Promise<number> {
    const headers = { accept: 'application/json' };
    const signal = AbortSignal.timeout(patienceMs);
    const ask = { method: 'GET', headers, body: undefined, redirect: 'manual', signal } as const;
    const response = await fetchThrough(ports.transport, caCert)(address, ask);
    const { keys } = JwkSet.parse(await response.json());
    return keys.length;
  }

  return { authorizationUrl, identify, logoutUrl, discover, countKeys };
}

/** A claim that is null says nothing. */
function present(claims: OidcClaims): OidcClaims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}

/** The settings that the connection depends on. */
function keyOf(settings: Usable): string {
  const { issuer, clientId, sealedSecret, caCert, allowInsecure } = settings;
  const text = JSON.stringify([issuer, clientId, sealedSecret, caCert, allowInsecure]);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The method of the settings, or the one of the two that the provider lists first; a public client
 * uses PKCE only.
 */
function authentication(secret: string | null, method: TokenAuthMethod): client.ClientAuth {
  if (secret === null) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, metadata, body, headers) => {
    const listed = server.token_endpoint_auth_methods_supported ?? [];
    const wanted = method === 'auto' ? listed.find((each) => isSecretMethod(each)) : method;
    const choice = wanted === 'client_secret_post' ? post : basic;
    choice(server, metadata, body, headers);
  };
}

function isSecretMethod(method: string): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

/** Fetches claims that the id_token lacks from the userinfo endpoint. */
async function moreClaims(
  configuration: client.Configuration,
  settings: Usable,
  { claims, accessToken }: { claims: client.IDToken; accessToken: string },
): Promise<OidcClaims> {
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
  if (endpoint === undefined || saysEnough(claims, settings)) return {};
  return client.fetchUserInfo(configuration, accessToken, claims.sub);
}

/** Translates the library's errors: refused, invalid or unavailable. Logs them without tokens. */
async function callProvider<T>(log: Logger, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const reason = reasonOf(error);
    const fault = faultOf(error, { reason: registryWords([{ message: reason }]) });
    log.warn({ code: fault.code, reason }, 'a login by OIDC did not succeed');
    throw fault;
  }
}

/** @param detail for the audit event: the words of the provider or the library, cleaned */
function faultOf(error: unknown, detail: { reason: string | undefined }): AppError {
  if (error instanceof client.AuthorizationResponseError) {
    return forbidden('OIDC_DENIED', 'The identity provider refused the login.', {
      cause: error,
      detail,
    });
  }
  if (isAway(error)) {
    const text = 'The identity provider can not be reached, or does not answer as one.';
    return unavailable('OIDC_PROVIDER_UNAVAILABLE', text, { cause: error, detail, retryAfter: 10 });
  }
  return unauthenticated('OIDC_LOGIN_FAILED', 'What the identity provider says does not hold.', {
    cause: error,
    detail,
  });
}

/** Counts invalid replies, such as a proxy's error page, as unavailable. */
const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

function isAway(error: unknown): boolean {
  if (isAppError(error)) return true;
  if (error instanceof client.ResponseBodyError) return error.status >= 500;
  return (
    error instanceof client.ClientError && (isAppError(error.cause) || AWAY.has(error.code ?? ''))
  );
}

/** The library's or the provider's description of the failure. */
export function reasonOf(error: unknown): string {
  if (
    error instanceof client.ResponseBodyError ||
    error instanceof client.AuthorizationResponseError
  ) {
    return [error.error, error.error_description].filter((text) => text !== undefined).join(': ');
  }
  if (error instanceof client.ClientError && isAppError(error.cause)) return error.cause.message;
  const inner =
    error instanceof client.ClientError && error.cause instanceof Error
      ? ` (${error.cause.message})`
      : '';
  return error instanceof Error ? `${error.message}${inner}` : 'unknown';
}
