/** Authorized requests within a session with one registry. */
import type { Authorizer } from './auth/authorizer.ts';
import type { RegistrySession } from './auth/session.ts';
import type { HttpRequest, Method, RequestBody } from './http/message.ts';
import type { Headers } from './http/response-head.ts';
import type { OpenAnswer, Transport } from './http/transport.ts';

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

export type StreamRequest = Omit<RegistryRequest, 'method' | 'body' | 'maxBytes'>;

export interface OpenSession extends RegistrySession {
  authorizer: Authorizer;
}

/** Streams an authorized GET. */
export function openStream(
  transport: Pick<Transport, 'open'>,
  { authorizer, ...endpoint }: Pick<OpenSession, 'base' | 'trust' | 'authorizer'>,
  request: StreamRequest,
): Promise<OpenAnswer> {
  const call = callOf({ ...request, method: 'GET' }, endpoint);
  return authorizer.run(
    request,
    (authorization) => transport.open({ ...call, authorization }),
    (answer) => answer.cancel(),
  );
}

export function callOf(
  { path, scopes: _, ...rest }: RegistryRequest,
  { base, trust }: Pick<OpenSession, 'base' | 'trust'>,
): HttpRequest {
  return { ...rest, url: typeof path === 'string' ? new URL(path, base) : path, trust };
}
