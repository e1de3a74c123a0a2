/** The `/v2` router: parse, authenticate, authorize, proxy. Mount it before any body parser. */
import { invalid, isAppError } from '@portcullis/errors';
import { parseRegistryUrl, type RegistryAddress, type WriteLock } from '@portcullis/local-registry';
import type { DiskSpace, Logger } from '@portcullis/runtime';
import type { Images, Referrers } from '@portcullis/store';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { AuditPorts, PublishAudit } from '../http/audit.ts';
import { authenticate, type Caller, type V2Accounts } from './access/authenticate.ts';
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
import { createTellOfGuess, type TellOfGuess } from './access/login-audit.ts';
import { coversCatalog, parseScopes } from './access/scope.ts';
import { issueToken, TOKEN_SECONDS } from './access/token.ts';
import { ociError, sendError } from './errors.ts';
import { listCatalog } from './manifests/catalog.ts';
import type { SpendOnManifest } from './manifests/manifest-budget.ts';
import type { ManifestEvents } from './manifests/manifest-events.ts';
import type { Pulls } from './manifests/pull-memory.ts';
import { parse, type V2Request } from './parse.ts';
import { createRegistryProxy, type RegistryProxy } from './proxy/proxy.ts';
import { createRegistryClient, type LocalRegistryClient } from './proxy/registry-client.ts';
import { PATIENCE, type ProxyTimeouts } from './proxy/timeouts.ts';
import { serveRepository } from './repository.ts';
import type { UploadStates } from './uploads/upload-states.ts';

export interface V2Ports {
  accounts: V2Accounts;
  /** Of the local registry; a user and password in it are used there. */
  registryUrl: string;
  /** Of its object store, where it sends readers there; none unless given. */
  storeOrigins?: readonly string[];
  /** As the client reaches us, without a trailing slash. */
  publicUrl(request: Request): string;
  /** `deriveV2Key` of the secret key. */
  tokenKey: Buffer;
  /**
   * Of the tokens: the same for all replicas, and another one for installations with another public
   * URL.
   */
  audience: string;
  /** Every folder there is. */
  folders(): Promise<ReadonlySet<string>>;
  /** Needs `requestId` of http/ before this router. */
  publishAudit?: PublishAudit;
  /** Commits the event of a change before the registry is asked for it. */
  auditChanges?: Pick<AuditPorts, 'scope' | 'end'>;
  manifests?: ManifestEvents;
  /**
   * The tag alone: its manifest stays.
   * @throws not_found `MANIFEST_UNKNOWN`; conflict `DELETE_UNSUPPORTED`
   */
  removeTag(repository: string, tag: string): Promise<void>;
  /** Without it there is no bound. */
  spendOnManifest?: SpendOnManifest;
  uploads: UploadStates;
  /** Of the registry's storage; null where that isn't at hand. */
  disk: DiskSpace | null;
  pulls: Pulls;
  /** Between writers and the collector of garbage. */
  gate: WriteLock;
  referrers: Pick<Referrers, 'record' | 'list' | 'remove'>;
  images: Pick<Images, 'names'>;
  /** With the local registry; `PATIENCE` unless a test has less. */
  patience?: ProxyTimeouts;
  log: Pick<Logger, 'error'>;
}

/** What the handlers of `/v2` work with. */
export interface V2 {
  ports: V2Ports;
  registry: RegistryAddress;
  proxy: RegistryProxy;
  registryClient: LocalRegistryClient;
  tellOfGuess: TellOfGuess;
}

/** Also closes what it holds open to the registry. */
export type V2Router = Router & { close(): void };

export function createV2(ports: V2Ports): V2Router {
  const registry = parseRegistryUrl(ports.registryUrl);
  const upstream = { registry, storeOrigins: ports.storeOrigins ?? [] };
  const proxy = createRegistryProxy(upstream, ports.patience);
  const registryClient = createRegistryClient(upstream, (ports.patience ?? PATIENCE).answerMs);
  const v2: V2 = {
    ports,
    registry,
    proxy,
    registryClient,
    tellOfGuess: createTellOfGuess(ports.publishAudit),
  };
  const close = () => {
    proxy.close();
    registryClient.close();
  };
  return Object.assign(Router().use(handler(v2)), { close });
}

function handler(v2: V2): RequestHandler {
  return async (request, response) => {
    response.set(STANDING_HEADERS);
    let asked: V2Request | null = null;
    // Read first: the proxy replaces the request's headers.
    const { authorization } = request.headers;
    try {
      asked = parse(request.method, request.originalUrl);
      const caller = await authenticate({
        accounts: v2.ports.accounts,
        tokenKey: v2.ports.tokenKey,
        audience: v2.ports.audience,
        authorization,
        clientIp: request.ip ?? '',
        basicOnly: asked.route.kind === 'token',
      });
      await serve(v2, { request, response, asked, ...caller });
    } catch (error) {
      await v2.tellOfGuess({ request, response, authorization, error });
      if (ociError(error).status === 401)
        challenge(v2, { request, response, asked, authorization, error });
      sendError(request, response, error, v2.ports.log);
    }
  };
}

/** What was pushed must never run as a page of ours: the web page shares this origin. */
const STANDING_HEADERS = {
  'Docker-Distribution-Api-Version': 'registry/2.0',
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

export interface V2Call extends Caller {
  request: Request;
  response: Response;
  asked: V2Request;
}

async function serve(v2: V2, call: V2Call): Promise<void> {
  const { response, asked } = call;
  const { route } = asked;
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

async function serveCatalog(v2: V2, { response, asked, principal, scopes }: V2Call): Promise<void> {
  if (!coversCatalog(scopes)) throw scopeInsufficient(asked);
  const { repositories, link } = await listCatalog(asked.query, principal, v2.ports.images);
  if (link !== undefined) response.setHeader('Link', link);
  response.json({ repositories });
}

async function serveToken(v2: V2, { request, response, principal }: V2Call): Promise<void> {
  const asked = new URL(request.originalUrl, 'http://here.invalid').searchParams;
  const service = serviceOf(v2.ports.publicUrl(request));
  if (asked.getAll('service').some((other) => other !== service))
    throw invalid('SERVICE_UNKNOWN', `tokens are issued for the service ${service} only`);
  const access = grantedOf(
    { principal, folders: await v2.ports.folders() },
    parseScopes(asked.getAll('scope')),
  );
  const token = issueToken(v2.ports.tokenKey, principal, { audience: v2.ports.audience, access });
  const issued_at = new Date().toISOString();
  response.set('Cache-Control', 'no-store');
  response.json({ token, access_token: token, expires_in: TOKEN_SECONDS, issued_at });
}

type Unknown = Pick<V2Call, 'request' | 'response'> & {
  asked: V2Request | null;
  authorization: string | undefined;
  error: unknown;
};

function challenge(v2: V2, { request, response, asked, authorization, error }: Unknown): void {
  if (response.headersSent) return;
  const url = v2.ports.publicUrl(request);
  const isToken = asked?.route.kind === 'token';
  const wrong = bearerError(authorization, error);
  response.setHeader(
    'WWW-Authenticate',
    isToken ? basicChallenge(url) : bearerChallenge(url, asked, wrong),
  );
}

function bearerError(authorization: string | undefined, error: unknown): BearerError | null {
  if (!authorization?.toLowerCase().startsWith('bearer')) return null;
  return isAppError(error) && error.code === SCOPE_INSUFFICIENT
    ? 'insufficient_scope'
    : 'invalid_token';
}
