/**
 * Bearer tokens (distribution project, "Token authentication"): requested from the realm of the
 * challenge and cached until they expire, one per set of scopes. Concurrent requests share one
 * token request (single flight).
 */

import { unlessAborted } from '../../copy/concurrency.ts';
import { forbidden, type OciError, unauthenticated, unavailable } from '../../oci-error.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Transport } from '../http/transport.ts';
import { errorsIn, isRecord, registryError, withheldMessage } from '../registry-error.ts';
import { bodyWords, registryWords, withoutSecrets } from '../registry-words.ts';
import { isUsableRealm, trustsRealm } from './realm.ts';

export interface RegistryCredentials {
  username: string;
  password: string;
}

export interface TokenSourceOptions {
  /** The registry's base URL. */
  registry: URL;
  credentials?: RegistryCredentials | undefined;
  /** Token services of other domains that may have the credentials. */
  tokenHosts?: readonly string[] | undefined;
  transport: Transport;
  trust: HttpRequest['trust'];
  now?: (() => number) | undefined;
}

interface TokenRequest {
  realm: string;
  service?: string | undefined;
  scopes: readonly string[];
}

export interface TokenSource {
  /**
   * @throws unauthenticated where the login is refused, unavailable where the realm can't be used
   */
  get(request: TokenRequest, signal?: AbortSignal): Promise<string>;
  /** Invalidates a token that the registry rejected. */
  discard(token: string): void;
}

interface Token {
  value: string;
  /** Time of renewal: before the token expires, because requests with it take time. */
  staleAt: number;
}

/** Default lifetime of the token specification. */
const DEFAULT_LIFETIME_SECONDS = 60;
const MAX_TOKEN = 64 * 1024;
const MAX_ANSWER_BYTES = 2 * MAX_TOKEN;
/**
 * User name that marks an identity token (Docker, ACR): the password is then an OAuth2 refresh
 * token.
 */
const IDENTITY_TOKEN_USER = '<token>';

export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const tokens = new Map<string, Promise<Token>>();
  const given = new Map<string, Token>();
  const now = options.now ?? Date.now;
  const obtain = (key: string, request: TokenRequest): Promise<Token> => {
    const token = requestToken(request, options, now);
    tokens.set(key, token);
    token.then(
      (each) => given.set(key, each),
      () => tokens.get(key) === token && tokens.delete(key),
    );
    return token;
  };
  return {
    async get(request, signal) {
      const key = [request.realm, request.service, ...request.scopes].join(' ');
      const known = tokens.get(key);
      const token = await unlessAborted(known ?? obtain(key, request), signal);
      if (now() < token.staleAt) return token.value;
      // Several callers may find it stale at once: the first one renews it, the others wait for the
      // same request.
      const next = tokens.get(key);
      const fresh = next && next !== known ? next : obtain(key, request);
      return (await unlessAborted(fresh, signal)).value;
    },
    discard(value) {
      for (const token of given.values()) if (token.value === value) token.staleAt = 0;
    },
  };
}

/** Not bound to the signal of one caller, because others may wait for the same token. */
async function requestToken(
  request: TokenRequest,
  { registry, credentials, tokenHosts, transport, trust }: TokenSourceOptions,
  now: () => number,
): Promise<Token> {
  const realm = URL.parse(request.realm);
  if (!realm || !isUsableRealm(registry, realm)) throw realmUnusable(registry);
  const isTrusted = trustsRealm(registry, realm, tokenHosts);
  const known = isTrusted ? credentials : undefined;
  const requestedAt = now();
  const reply = await transport.send({
    ...tokenCall(realm, request, known, transport.client.id),
    // A custom CA or disabled verification applies to the registry, not to any host that it names.
    trust: isTrusted ? trust : { verify: true },
    maxBytes: MAX_ANSWER_BYTES,
  });
  const answer = known ? hiding(reply, known) : reply;
  if (answer.status === 401 || answer.status === 403)
    throw credentials && !known ? loginWithheld(realm.host) : loginRefused(answer, !!known);
  if (answer.status !== 200) throw registryError(answer, 'a token');
  return parseToken(answer, requestedAt);
}

function hiding(answer: HttpResponse, credentials: RegistryCredentials): HttpResponse {
  if (answer.status < 400) return answer;
  return { ...answer, body: withoutSecrets(answer.body, secretsOf(credentials)) };
}

export function secretsOf(credentials: RegistryCredentials): string[] {
  return [credentials.password, basicAuthorization(credentials).slice('Basic '.length)];
}

function tokenCall(
  realm: URL,
  request: TokenRequest,
  credentials: RegistryCredentials | undefined,
  clientId: string,
): Omit<HttpRequest, 'trust'> {
  if (credentials?.username === IDENTITY_TOKEN_USER)
    return refreshTokenCall(realm, request, { refreshToken: credentials.password, clientId });
  const url = new URL(realm);
  if (request.service !== undefined) url.searchParams.set('service', request.service);
  for (const scope of request.scopes) url.searchParams.append('scope', scope);
  if (!credentials) return { method: 'GET', url };
  url.searchParams.set('account', credentials.username);
  return { method: 'GET', url, authorization: basicAuthorization(credentials) };
}

/** "OAuth2 token authentication" of the distribution project. */
function refreshTokenCall(
  url: URL,
  { service, scopes }: TokenRequest,
  { refreshToken, clientId }: { refreshToken: string; clientId: string },
): Omit<HttpRequest, 'trust'> {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...(service !== undefined && { service }),
    scope: scopes.join(' '),
  });
  const bytes = Buffer.from(form.toString());
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: bodyOf(bytes),
    // A redirect would send the credentials in the body to another host.
    follow: false,
  };
}

export function bodyOf(bytes: Uint8Array) {
  return {
    size: bytes.byteLength,
    open: async () =>
      (async function* () {
        yield bytes;
      })(),
  };
}

export function basicAuthorization({ username, password }: RegistryCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function parseToken({ body, url }: HttpResponse, requestedAt: number): Token {
  const parsed = recordIn(body);
  const value = textOf(parsed.token) ?? textOf(parsed.access_token);
  if (value === undefined || value.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(value)) {
    throw unavailable('TOKEN_INVALID', `${url.host} returned no usable token`, {
      detail: { host: url.host },
    });
  }
  const stated =
    typeof parsed.expires_in === 'number' ? parsed.expires_in : DEFAULT_LIFETIME_SECONDS;
  const seconds = Number.isFinite(stated) && stated > 0 ? stated : DEFAULT_LIFETIME_SECONDS;
  return { value, staleAt: requestedAt + (seconds - Math.min(30, seconds / 4)) * 1000 };
}

function recordIn(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function loginRefused({ url, status, body }: HttpResponse, withLogin: boolean): OciError {
  const { host } = url;
  const said = registryWords(errorsIn(body)) ?? bodyWords(body);
  const why = said === undefined ? '' : `; the token service says: “${said}”`;
  const options = { detail: { host, status } };
  // A service that knows the login may refuse for another reason, such as a limit of the plan.
  if (withLogin && status === 403)
    return forbidden('REGISTRY_FORBIDDEN', `${host} refused this account a token${why}`, options);
  const message = withLogin
    ? `${host} rejected the username or the password`
    : `${host} requires a login to issue a token`;
  return unauthenticated('REGISTRY_UNAUTHENTICATED', `${message}${why}`, options);
}

function loginWithheld(host: string): OciError {
  return unauthenticated('LOGIN_WITHHELD', withheldMessage(host), { detail: { host } });
}

function realmUnusable(registry: URL): OciError {
  return unavailable(
    'REALM_REFUSED',
    `${registry.host} names a token service that is not reached over https`,
    {
      detail: { host: registry.host },
    },
  );
}
