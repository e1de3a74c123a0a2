/** Calls of the REST API, typed by the contract. */
import type { OperationEndpoint } from './endpoint.ts';
import type { AnswerFor, OperationName, RequestArgs, RequestFor } from './operation-name.ts';
import { networkProblem, problemOf } from './problem-error.ts';

export interface AnswerPage<T> {
  items: T;
  next: string | null;
  total: number | null;
}

export interface ClientPorts {
  operations: Record<OperationName, OperationEndpoint>;
  fetch: typeof fetch;
  /** Called when the session has ended. True after a new sign-in: the call is then repeated. */
  renew(name: OperationName): Promise<boolean>;
}

export interface Client {
  /** @throws ProblemError */
  call<N extends OperationName>(name: N, ...request: RequestArgs<N>): Promise<AnswerFor<N>>;
  /** One page of a list. @throws ProblemError */
  page<N extends OperationName>(
    name: N,
    ...request: RequestArgs<N>
  ): Promise<AnswerPage<AnswerFor<N>>>;
  /** The raw response, for streams. @throws ProblemError */
  open(name: OperationName, init?: RequestInit): Promise<Response>;
  /** The URL of an operation, for links. */
  url<N extends OperationName>(name: N, ...request: RequestArgs<N>): string;
}

interface Parts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export function createClient({ operations, fetch, renew }: ClientPorts): Client {
  function url<N extends OperationName>(name: N, request: Parts = {}): string {
    const path = operations[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(String(textsOf(request.params).find(([each]) => each === key)?.[1])),
    );
    const query = new URLSearchParams(textsOf(request.query)).toString();
    return `/api${path}${query && `?${query}`}`;
  }

  /** The repetition keeps the idempotency key, so that a call is not executed twice. */
  async function send(name: OperationName, request: Parts): Promise<Response> {
    const init = initOf(operations[name], request);
    const target = url(name, request);
    const response = await attempt(target, init);
    return response.status === 401 && (await renew(name)) ? attempt(target, init) : response;
  }

  async function attempt(target: string, init: RequestInit): Promise<Response> {
    return fetch(target, init).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw networkProblem();
    });
  }

  async function succeed(name: OperationName, request: Parts): Promise<Response> {
    const response = await send(name, request);
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  return {
    async call(name, ...[request]) {
      return read(await succeed(name, request ?? {}), operations[name]);
    },
    async page(name, ...[request]) {
      const response = await succeed(name, request ?? {});
      const total = response.headers.get('x-total-count');
      const next = nextCursor(response.headers.get('link'));
      return {
        items: await read(response, operations[name]),
        next,
        total: total === null ? null : Number(total),
      };
    },
    async open(name, init) {
      const response = await attempt(url(name), { credentials: 'same-origin', ...init });
      if (response.status === 401 && (await renew(name))) return attempt(url(name), init ?? {});
      if (!response.ok) throw await problemOf(response);
      return response;
    },
    url: (name, ...[request]) => url(name, request),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the server's tests check replies against the contract
async function read(response: Response, { answer }: OperationEndpoint): Promise<any> {
  return answer === 'json' ? response.json() : undefined;
}

function initOf({ method, idempotent }: OperationEndpoint, { body }: Parts): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotent) headers['idempotency-key'] = randomKey();
  return {
    method,
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** `crypto.randomUUID` is missing on pages served without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Lists become comma-separated values; empty values are left out. */
function textsOf(given: unknown): [string, string][] {
  return Object.entries(given ?? {})
    .filter(
      ([, value]) => value !== undefined && value !== null && value !== '' && !isEmptyList(value),
    )
    .map(([key, value]) => [key, String(value)]);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function nextCursor(link: string | null): string | null {
  const target = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return target === undefined ? null : new URL(target, 'http://page').searchParams.get('cursor');
}

export type { AnswerFor, OperationName, RequestFor };
