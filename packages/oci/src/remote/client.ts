/** Authenticated requests to one registry. */

import { unlessAborted } from '../copy/unless-aborted.ts';
import { type Authorizer, createAuthorizer } from './auth/authorizer.ts';
import type { RegistryCredentials } from './auth/token.ts';
import { type EndpointOptions, findBase, trustOf } from './endpoint.ts';
import type { HttpRequest, HttpResponse, Method, RequestBody } from './http/message.ts';
import type { Headers } from './http/response-head.ts';
import type { ClientIdentity, OpenAnswer } from './http/transport.ts';

export interface RegistryOptions extends EndpointOptions {
  credentials?: RegistryCredentials | undefined;
}

export interface RegistryRequest {
  method: Method;
  /** Path below `/v2/`, or a URL from the registry (upload session, next page). */
  path: string | URL;
  scopes: readonly string[];
  headers?: Headers;
  body?: RequestBody;
  maxBytes?: number;
  retry?: boolean;
  signal?: AbortSignal | undefined;
}

export interface AuthorizedClient {
  send(request: RegistryRequest): Promise<HttpResponse>;
  open(request: Omit<RegistryRequest, 'method' | 'body' | 'maxBytes'>): Promise<OpenAnswer>;
  readonly identity: ClientIdentity;
  /** `https://host/v2/` */
  base(signal?: AbortSignal): Promise<URL>;
}

interface UploadSession {
  base: URL;
  authorizer: Authorizer;
}

export function createRegistryClient(options: RegistryOptions): AuthorizedClient {
  const { transport, credentials } = options;
  const trust = trustOf(options);
  let opening: Promise<UploadSession> | undefined;

  return {
    identity: transport.client,
    async send(request) {
      const { base, authorizer } = await session(request.signal);
      const call = callOf(request, base);
      return authorizer.run(
        request,
        (authorization) =>
          transport.send({ ...call, authorization: own(call, base) ? authorization : undefined }),
        () => undefined,
      );
    },
    async open(request) {
      const { base, authorizer } = await session(request.signal);
      const call = callOf({ ...request, method: 'GET' }, base);
      return authorizer.run(
        request,
        (authorization) => transport.open({ ...call, authorization }),
        (answer) => answer.cancel(),
      );
    },
    base: async (signal) => (await session(signal)).base,
  };

  function session(signal: AbortSignal | undefined): Promise<UploadSession> {
    opening ??= start();
    return unlessAborted(opening, signal);
  }

  async function start(): Promise<UploadSession> {
    try {
      const base = await findBase(options);
      return {
        base,
        authorizer: createAuthorizer({ registry: base, credentials, transport, trust }),
      };
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  function callOf({ path, scopes: _, ...rest }: RegistryRequest, base: URL): HttpRequest {
    return { ...rest, url: typeof path === 'string' ? new URL(path, base) : path, trust };
  }
}

/** An upload session may be on another host, which must not receive the credentials. */
function own(call: HttpRequest, base: URL): boolean {
  return call.url.origin === base.origin;
}
