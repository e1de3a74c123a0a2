/** Authenticated requests to one registry. */

import { unlessAborted } from '../copy/concurrency.ts';
import { createAuthorizations, type OwnAuthorizations } from './auth/authorizations.ts';
import { createAuthorizer } from './auth/authorizer.ts';
import type { RegistrySession } from './auth/session.ts';
import { type RegistryCredentials, secretsOf } from './auth/token.ts';
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
import { withoutSecrets } from './registry-words.ts';

export interface RegistryOptions extends EndpointOptions {
  credentials?: RegistryCredentials | undefined;
  /** `host[:port]` of token services on other domains that may have the credentials. */
  tokenHosts?: readonly string[] | undefined;
  /** What messages call the registry in place of its host. */
  shownAs?: string | undefined;
}

export interface AuthorizedClient {
  send(request: RegistryRequest): Promise<HttpResponse>;
  open(request: StreamRequest): Promise<OpenAnswer>;
  /** What another thread needs to send requests itself. */
  session(signal?: AbortSignal): Promise<RegistrySession>;
  readonly identity: ClientIdentity;
  /** `https://host/v2/` */
  base(signal?: AbortSignal): Promise<URL>;
}

interface OwnSession extends OpenSession {
  authorizations: OwnAuthorizations;
}

export function createRegistryClient(options: RegistryOptions): AuthorizedClient {
  const { transport, credentials, tokenHosts } = options;
  const trust = trustOf(options);
  let opening: Promise<OwnSession> | undefined;

  return {
    identity: transport.client,
    async send(request) {
      const { base, authorizer, authorizations } = await session(request.signal);
      const call = callOf(request, { base, trust });
      const answer = await authorizer.run(
        request,
        async (given) => {
          const authorization = own(call, base) ? given : undefined;
          return hiding(await transport.send({ ...call, authorization }), authorization);
        },
        () => undefined,
      );
      const loginWithheldFrom = authorizations.withheldFrom();
      return loginWithheldFrom === undefined ? answer : { ...answer, loginWithheldFrom };
    },
    async open(request) {
      return openStream(transport, await session(request.signal), request);
    },
    session,
    base: async (signal) => (await session(signal)).base,
  };

  /** An answer that refuses may repeat what was sent, and its words are shown to people. */
  function hiding(answer: HttpResponse, authorization: string | undefined): HttpResponse {
    if (answer.status < 400 || authorization === undefined) return answer;
    const sent = authorization.slice(authorization.indexOf(' ') + 1);
    const secrets = credentials ? [sent, ...secretsOf(credentials)] : [sent];
    return { ...answer, body: withoutSecrets(answer.body, secrets) };
  }

  function session(signal?: AbortSignal): Promise<OwnSession> {
    opening ??= start();
    return unlessAborted(opening, signal);
  }

  async function start(): Promise<OwnSession> {
    try {
      const base = await findBase(options);
      const given = { registry: base, credentials, tokenHosts, transport, trust };
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
