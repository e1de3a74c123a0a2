/**
 * Client for uploads and requests with small responses: Node's HTTP client over dialled
 * connections.
 */
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { unlessAborted } from '../../copy/unless-aborted.ts';
import { isOciError, type OciError, tooLarge } from '../../oci-error.ts';
import { MAX_INTERIM } from './body-reader.ts';
import type { Dialer, TlsTrust } from './dial.ts';
import { portOf, proxyAuthorization } from './proxy.ts';
import { type Headers, ProtocolFault } from './response-head.ts';
import { createStallDetector, idleError, type StallLimits, withStallDetection } from './stall.ts';
import { answerInvalid, broken } from './stream-client.ts';

/** Not an `import`: that evaluates the `WebSocket` export and loads undici, 16 ms at each start. */
const http = process.getBuiltinModule('node:http');

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestBody {
  /** Sent as `Content-Length`. */
  size: number;
  /** Opens the bytes from the start; called again for each retry. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

interface ExchangeRequest {
  method: Method;
  url: URL;
  headers: Headers;
  trust: TlsTrust;
  body?: RequestBody | undefined;
  /** Size limit of the response body. A larger error response is cut, any other is refused. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: Buffer;
  /** Final URL, after redirects. */
  url: URL;
}

export interface ExchangeClient {
  exchange(request: ExchangeRequest): Promise<HttpResponse>;
  close(): void;
}

export interface ExchangeTimeouts {
  stall: StallLimits;
  /** A registry may copy a whole layer to its storage before it answers the end of an upload. */
  uploadMs: number;
}

export function createExchangeClient(dialer: Dialer, timeouts: ExchangeTimeouts): ExchangeClient {
  const agents = new Map<string, Agent>();
  const agentFor = ({ url, trust }: ExchangeRequest): Agent => {
    const key = [url.origin, dialer.route(url), trust.verify, trust.ca].join(' ');
    const agent = agents.get(key) ?? dialingAgent(dialer, new URL(url.origin), trust);
    agents.set(key, agent);
    return agent;
  };
  return {
    async exchange(request) {
      request.signal?.throwIfAborted();
      try {
        return await unlessAborted(
          perform(request, agentFor(request), dialer, timeouts),
          request.signal,
        );
      } catch (error) {
        request.signal?.throwIfAborted();
        throw isOciError(error) ? error : faultOf(error, request.url);
      }
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function faultOf(error: unknown, url: URL): OciError {
  return error instanceof ProtocolFault ? answerInvalid(error, url) : broken(error, url);
}

/** A plain HTTP agent whose connections may be TLS, a tunnel or a proxy. */
function dialingAgent(dialer: Dialer, url: URL, trust: TlsTrust): Agent {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 4, timeout: 4000 });
  agent.createConnection = (_options, callback) => {
    dialer.dial({ url, trust }).then(
      ({ socket }) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  };
  return agent;
}

async function perform(
  { method, url, headers, body, maxBytes, signal }: ExchangeRequest,
  agent: Agent,
  dialer: Dialer,
  timeouts: ExchangeTimeouts,
): Promise<HttpResponse> {
  const proxy = dialer.forwarder(url);
  const authorization = proxy && proxyAuthorization(proxy);
  const patienceMs = body ? timeouts.uploadMs : timeouts.stall.idleMs;
  const request = http.request({
    method,
    agent,
    host: url.hostname,
    port: portOf(url),
    path: `${proxy ? url.origin : ''}${url.pathname}${url.search}`,
    setHost: false,
    headers: {
      host: url.host,
      ...headers,
      ...(authorization && { 'proxy-authorization': authorization }),
      ...((body || method === 'POST' || method === 'PUT') && { 'content-length': body?.size ?? 0 }),
    },
    timeout: patienceMs,
    ...(signal && { signal }),
  });
  let late: OciError | undefined;
  const giveUp = () => {
    late = idleError(url.host, patienceMs);
    request.destroy(late);
  };
  request.once('timeout', giveUp);
  const answered = responseOf(request);
  try {
    if (body) await send(body, request, answered);
    else request.end();
    const response = await headWithin(patienceMs, answered, giveUp);
    const detector = createStallDetector(timeouts.stall, url.host);
    const bytes = await collect(
      withStallDetection(response, detector),
      response.statusCode ?? 0,
      maxBytes,
    );
    // A connection with an incomplete request or response cannot be reused.
    if (!request.writableFinished || !response.complete) request.destroy();
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: bytes, url };
  } catch (error) {
    request.destroy();
    // After a timeout the request error only says that the connection was closed.
    throw late ?? error;
  }
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let interim = 0;
  request.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM)
      request.destroy(new ProtocolFault('there are too many interim answers'));
  });
  request.once('response', resolve);
  request.on('error', reject);
  request.once('close', () => reject(new Error('the connection was closed before an answer')));
  promise.catch(() => undefined);
  return promise;
}

/** Time limit for the whole head: a server that sends single bytes is never idle. */
async function headWithin<T>(ms: number, answered: Promise<T>, giveUp: () => void): Promise<T> {
  const timer = setTimeout(giveUp, ms);
  try {
    return await answered;
  } finally {
    clearTimeout(timer);
  }
}

/** Stops sending when a response arrives early: it is an error. */
async function send(
  body: RequestBody,
  request: ClientRequest,
  answered: Promise<unknown>,
): Promise<void> {
  const state = { stopped: false };
  const stopped = answered.finally(() => {
    state.stopped = true;
  });
  stopped.catch(() => undefined);
  const chunks = await body.open().catch((error: unknown) => {
    request.destroy();
    throw error;
  });
  for await (const chunk of chunks) {
    if (state.stopped) return;
    // The source reuses the chunk's memory for the next one: wait until it is written.
    await Promise.race([written(request, chunk), stopped]);
  }
  request.end();
}

function written(request: ClientRequest, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    request.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

async function collect(
  body: AsyncIterable<Uint8Array>,
  status: number,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    const left = maxBytes - size;
    if (chunk.length > left && status < 400) {
      throw tooLarge(
        'REGISTRY_ANSWER_TOO_LARGE',
        `an answer of the registry has more than ${maxBytes} bytes`,
      );
    }
    chunks.push(chunk.subarray(0, left));
    size += chunk.length;
    if (chunk.length > left) break;
  }
  return Buffer.concat(chunks);
}

function headersOf(response: IncomingMessage): Headers {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    if (values) headers[name] = values.join(', ');
  }
  return headers;
}
