/** The `/v2` router: parse, authenticate, authorize, proxy. Mount it before any body parser. */
import { invalid, isAppError } from '@portcullis/errors';
import { parseRegistryUrl } from '@portcullis/local-registry';
import { type RequestHandler, Router } from 'express';
import { authenticate } from './access/authenticate.ts';
import {
  grantedOf,
  isRepositoryRoute,
  SCOPE_INSUFFICIENT,
  scopeInsufficient,
} from './access/authorize.ts';
import {
  type BearerError,
  basicChallenge,
  bearerChallenge,
  serviceOf,
} from './access/challenge.ts';
import { createFailedLoginRecorder } from './access/login-audit.ts';
import { coversCatalog, parseScopes } from './access/scope.ts';
import { issueToken, TOKEN_SECONDS } from './access/token.ts';
import { ociError, sendError } from './errors.ts';
import { listCatalog } from './manifests/catalog.ts';
import { inNamedMirror } from './mirror/named-host.ts';
import { parse } from './parse.ts';
import { createRegistryProxy } from './proxy/proxy.ts';
import { createRegistryClient } from './proxy/registry-client.ts';
import { PROXY_TIMEOUTS } from './proxy/timeouts.ts';
import { serveRepository } from './repository.ts';
import type { V2Request } from './routes.ts';
import { createStoredReads } from './stored/stored-reads.ts';
import type { V2, V2Call, V2Ports } from './v2.ts';

/** `close` also ends open connections to the registry. */
export type V2Router = Router & { close(): void };

export function createV2(ports: V2Ports): V2Router {
  const registry = parseRegistryUrl(ports.registryUrl);
  const upstream = { registry, storeOrigins: ports.storeOrigins ?? [] };
  const proxy = createRegistryProxy(upstream, ports.timeouts);
  const registryClient = createRegistryClient(
    upstream,
    (ports.timeouts ?? PROXY_TIMEOUTS).answerMs,
  );
  const v2: V2 = {
    ports,
    registry,
    proxy,
    registryClient,
    storedReads:
      ports.storage &&
      createStoredReads({
        content: ports.storage,
        registry: registryClient,
        isConfirmed: () => ports.storedUploads?.isConfirmed() ?? false,
        log: ports.log,
      }),
    recordFailedLogin: createFailedLoginRecorder(ports.publishAudit),
  };
  const close = () => {
    proxy.close();
    registryClient.close();
  };
  return Object.assign(Router().use(handler(v2)), { close });
}

function handler(v2: V2): RequestHandler {
  return async (request, response) => {
    response.set(COMMON_HEADERS);
    let v2Request: V2Request | null = null;
    // Read first: the proxy replaces the request's headers.
    const { authorization } = request.headers;
    try {
      v2Request = await inNamedMirror(v2, request, parse(request.method, request.originalUrl));
      const authenticated = await authenticate({
        accounts: v2.ports.accounts,
        tokenKey: v2.ports.tokenKey,
        audience: v2.ports.audience,
        authorization,
        clientIp: request.ip ?? '',
        basicOnly: v2Request.route.kind === 'token',
      });
      await serve(v2, { request, response, v2Request, ...authenticated });
    } catch (error) {
      await v2.recordFailedLogin({ request, response, authorization, error });
      if (ociError(error).status === 401)
        challenge(v2, { request, response, v2Request, authorization, error });
      sendError(request, response, error, v2.ports.log);
    }
  };
}

/** The web page shares this origin, so pushed content must never run as a page. */
const COMMON_HEADERS = {
  'Docker-Distribution-Api-Version': 'registry/2.0',
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

async function serve(v2: V2, call: V2Call): Promise<void> {
  const { response, v2Request } = call;
  const { route } = v2Request;
  if (isRepositoryRoute(route)) return serveRepository(v2, call, route);
  switch (route.kind) {
    case 'base':
      response.json({});
      return;
    case 'catalog':
      return serveCatalog(v2, call);
    case 'token':
      return serveToken(v2, call);
  }
}

async function serveCatalog(
  v2: V2,
  { response, v2Request, principal, scopes }: V2Call,
): Promise<void> {
  if (!coversCatalog(scopes)) throw scopeInsufficient(v2Request);
  const { repositories, link } = await listCatalog(v2Request.query, principal, v2.ports.images);
  if (link !== undefined) response.setHeader('Link', link);
  response.json({ repositories });
}

async function serveToken(v2: V2, { request, response, principal }: V2Call): Promise<void> {
  const query = new URL(request.originalUrl, 'http://here.invalid').searchParams;
  const service = serviceOf(v2.ports.publicUrl(request));
  if (query.getAll('service').some((other) => other !== service))
    throw invalid('SERVICE_UNKNOWN', `tokens are issued for the service ${service} only`);
  const access = grantedOf(
    { principal, ...(await v2.ports.knownFolders()) },
    parseScopes(query.getAll('scope')),
  );
  const token = issueToken(v2.ports.tokenKey, principal, { audience: v2.ports.audience, access });
  const issued_at = new Date().toISOString();
  response.set('Cache-Control', 'no-store');
  response.json({ token, access_token: token, expires_in: TOKEN_SECONDS, issued_at });
}

type Unknown = Pick<V2Call, 'request' | 'response'> & {
  v2Request: V2Request | null;
  authorization: string | undefined;
  error: unknown;
};

function challenge(v2: V2, { request, response, v2Request, authorization, error }: Unknown): void {
  if (response.headersSent) return;
  const url = v2.ports.publicUrl(request);
  const isToken = v2Request?.route.kind === 'token';
  const wrong = bearerError(authorization, error);
  response.setHeader(
    'WWW-Authenticate',
    isToken ? basicChallenge(url) : bearerChallenge(url, v2Request, wrong),
  );
}

function bearerError(authorization: string | undefined, error: unknown): BearerError | null {
  if (!authorization?.toLowerCase().startsWith('bearer')) return null;
  return isAppError(error) && error.code === SCOPE_INSUFFICIENT
    ? 'insufficient_scope'
    : 'invalid_token';
}
