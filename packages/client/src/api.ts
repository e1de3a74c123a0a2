/** Calls of the REST API, typed by the contract. */
import { AppError, type ErrorKind } from '@portcullis/errors';
import { parsedAnswer } from './answer.ts';
import { type ConnectionOptions, createConnection, type SiteConnection } from './connection.ts';
import { endpoints } from './endpoints.ts';
import {
  type AnswerFor,
  type AnswerPage,
  nextCursor,
  type OperationEndpoint,
  type OperationName,
  type RequestArgs,
  type RequestParts,
  requestHeaders,
  requestPath,
} from './request.ts';

export interface ApiOptions extends ConnectionOptions {
  /** A personal access token, or that of a session. */
  token: string;
}

export interface ApiClient {
  site: URL;
  /** @throws AppError with the code of the fault */
  call<N extends OperationName>(name: N, ...request: RequestArgs<N>): Promise<AnswerFor<N>>;
  /** One page of a list. @throws AppError with the code of the fault */
  page<N extends OperationName>(
    name: N,
    ...request: RequestArgs<N>
  ): Promise<AnswerPage<AnswerFor<N>>>;
  /** The bytes of an answer that is not JSON. @throws AppError with the code of the fault */
  download<N extends OperationName>(
    name: N,
    ...request: RequestArgs<N>
  ): Promise<AsyncIterable<Uint8Array>>;
  close(): void;
}

export function openApi({ token, ...options }: ApiOptions): ApiClient {
  const connection = createConnection(options);
  const known = endpoints();
  const authorization = `Bearer ${token}`;

  async function send(name: OperationName, request: RequestParts = {}) {
    const endpoint = endpointNamed(known, name);
    const { body } = request;
    const answer = await connection.send({
      method: endpoint.method,
      path: requestPath(endpoint, request),
      headers: { ...requestHeaders(endpoint, request), authorization },
      body: body === undefined ? undefined : JSON.stringify(body),
      repeatable: endpoint.method === 'GET' || endpoint.idempotent === true,
    });
    if (answer.status >= 300) throw faultOf(answer.status, answer.headers, answer.text);
    // The server's tests compare answers with the contract.
    const value =
      endpoint.answer === 'json' ? parsedAnswer(answer.text, connection.site) : undefined;
    return { headers: answer.headers, value };
  }

  return {
    site: connection.site,
    call: async (name, ...[request]) => (await send(name, request)).value,
    async page(name, ...[request]) {
      const { headers, value } = await send(name, request);
      const total = headers['x-total-count'];
      return {
        items: value,
        next: nextCursor(headers.link),
        total: total === undefined ? null : Number(total),
      };
    },
    download: (name, ...[request]) =>
      downloaded(connection, requestPath(endpointNamed(known, name), request ?? {}), authorization),
    close: () => connection.close(),
  };
}

function endpointNamed(
  known: Readonly<Record<string, OperationEndpoint>>,
  name: OperationName,
): OperationEndpoint {
  const endpoint = known[name];
  if (!endpoint) throw new Error(`the contract has no operation ${name}`);
  return endpoint;
}

async function downloaded(
  connection: SiteConnection,
  path: string,
  authorization: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { status, headers, chunks } = await connection.open(path, { authorization });
  if (status < 300) return chunks;
  const text = await wholeText(chunks);
  throw faultOf(status, headers, text);
}

async function wholeText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limited',
};

/** Of a problem document, or of the page of a proxy. */
export function faultOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): AppError {
  const kind = KINDS[status] ?? (status >= 500 ? 'unavailable' : 'invalid');
  const { code, detail, errors, request_id } = problemIn(text);
  const said = asSentencePart(detail ?? `the server answered ${status}`);
  const fields = Array.isArray(errors) ? errors.map(fieldText) : [];
  // A fault of many images has its sentence at each of them.
  const others = fields.filter((text) => !text.endsWith(`: ${said}`));
  const message = [said, ...others].join('; ');
  const retryAfter = Number(headers['retry-after']);
  return new AppError(kind, code ?? `HTTP_${status}`, message, {
    detail: { status, request_id, errors },
    ...(retryAfter > 0 && { retryAfter }),
  });
}

interface Faulty {
  code?: string;
  detail?: string;
  errors?: unknown;
  request_id?: unknown;
}

function problemIn(text: string): Faulty {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function fieldText(fault: { path?: unknown; message?: unknown }): string {
  return `${fault.path}: ${asSentencePart(String(fault.message))}`;
}

function asSentencePart(text: string): string {
  return text.replace(/\.$/, '');
}
