/** Authenticated requests to one registry. */

import { unlessAborted } from '../copy/unless-aborted.ts';
import { createAuthorizations } from './auth/authorizations.ts';
import { createAuthorizer } from './auth/authorizer.ts';
import type { RegistrySession } from './auth/session.ts';
import type { RegistryCredentials } from './auth/token.ts';
import { type EndpointOptions, findBase, trustOf } from './endpoint.ts';
import type { HttpRequest, HttpResponse } from './http/message.ts';
import type { OpenAnswer } from './http/transport.ts';
import type { ClientIdentity } from './http/transport-parts.ts';
import {
  callOf,
  type OpenSession,
  openStream,
  type RegistryRequest,
  type StreamRequest,
} from './open-stream.ts';

export interface RegistryOptions extends EndpointOptions {
  credentials?: RegistryCredentials | undefined;
}

export interface AuthorizedClient {
  send(request: RegistryRequest): Promise<HttpResponse>;
  open(request: StreamRequest): Promise<OpenAnswer>;
  /** What another thread needs for requests of its own. */
  session(signal?: AbortSignal): Promise<RegistrySession>;
  readonly identity: ClientIdentity;
  /** `https://host/v2/` */
  base(signal?: AbortSignal): Promise<URL>;
}

export function createRegistryClient(options: RegistryOptions): AuthorizedClient {
  const { transport, credentials } = options;
  const trust = trustOf(options);
  let opening: Promise<OpenSession> | undefined;

  return {
    identity: transport.client,
    async send(request) {
      const { base, authorizer } = await session(request.signal);
      const call = callOf(request, { base, trust });
      return authorizer.run(
        request,
        (authorization) =>
          transport.send({ ...call, authorization: own(call, base) ? authorization : undefined }),
        () => undefined,
      );
    },
    async open(request) {
      return openStream(transport, await session(request.signal), request);
    },
    session,
    base: async (signal) => (await session(signal)).base,
  };

  function session(signal?: AbortSignal): Promise<OpenSession> {
    opening ??= start();
    return unlessAborted(opening, signal);
  }

  async function start(): Promise<OpenSession> {
    try {
      const base = await findBase(options);
      const given = { registry: base, credentials, transport, trust };
      const authorizations = createAuthorizations(given);
      const authorizer = createAuthorizer(base, authorizations);
      return { base, trust, authorizations, authorizer };
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }
}

/** An upload session may be on another host, which must not receive the credentials. */
function own(call: HttpRequest, base: URL): boolean {
  return call.url.origin === base.origin;
}
