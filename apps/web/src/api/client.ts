/** Calls of the REST API, typed by the contract. */
import {
  type AnswerFor,
  type AnswerPage,
  nextCursor,
  type OperationEndpoint,
  type OperationName,
  type RequestArgs,
  type RequestFor,
  type RequestParts,
  requestHeaders,
  requestPath,
} from '@portcullis/client/request';
import { networkProblem, problemOf } from './problem-error.ts';

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
  /** The body of a reply, for those that take long to parse. @throws ProblemError */
  text<N extends OperationName>(name: N, ...request: RequestArgs<N>): Promise<string>;
  /** The raw response, for streams. @throws ProblemError */
  open(name: OperationName, init?: RequestInit): Promise<Response>;
  /** Sends a request that outlives the page; nothing reads its reply. */
  leave<N extends OperationName>(name: N, request: RequestFor<N>): void;
  /** The URL of an operation, for links. */
  url<N extends OperationName>(name: N, ...request: RequestArgs<N>): string;
}

export function createClient({ operations, fetch, renew }: ClientPorts): Client {
  function url(name: OperationName, request: RequestParts = {}): string {
    return requestPath(operations[name], request);
  }

  /** The repetition keeps the idempotency key, so that a call is not executed twice. */
  async function send(name: OperationName, request: RequestParts): Promise<Response> {
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

  async function succeed(name: OperationName, request: RequestParts): Promise<Response> {
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
    async text(name, ...[request]) {
      return (await succeed(name, request ?? {})).text();
    },
    async open(name, init) {
      const response = await attempt(url(name), { credentials: 'same-origin', ...init });
      if (response.status === 401 && (await renew(name))) return attempt(url(name), init ?? {});
      if (!response.ok) throw await problemOf(response);
      return response;
    },
    leave(name, request) {
      const init = { ...initOf(operations[name], request), keepalive: true };
      void fetch(url(name, request), init).catch(() => {});
    },
    url: (name, ...[request]) => url(name, request),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the server's tests check replies against the contract
async function read(response: Response, { answer }: OperationEndpoint): Promise<any> {
  return answer === 'json' ? response.json() : undefined;
}

function initOf(endpoint: OperationEndpoint, request: RequestParts): RequestInit {
  const { body } = request;
  return {
    method: endpoint.method,
    headers: requestHeaders(endpoint, request),
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

export type { AnswerFor, AnswerPage, OperationName, RequestFor };
