/**
 * HTTP transport of all requests: concurrency limit per host, retries and redirects. It knows
 * nothing about registries. The address guard checks every hop.
 */
import type { BlobMovers } from '../../movers/blob-movers.ts';
import { tooLarge } from '../../oci-error.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { createDialer } from './dial.ts';
import type { AddressGuard } from './guard.ts';
import { HostLimiter, type Limiter, type RequestClass } from './host-limiter.ts';
import { createHttpClient, type HttpClient, type StreamAnswer } from './http-client.ts';
import { guardedLookup, type Lookup } from './lookup.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { ProxyEnv } from './proxy.ts';
import { followRedirects, type Reply } from './redirects.ts';
import type { Headers } from './response-head.ts';
import {
  DEFAULT_RETRY,
  isRetryable,
  isRetryableStatus,
  nextWaitMs,
  parseRetryAfter,
  pause,
  policyAfter,
  type RetryPolicy,
} from './retry.ts';
import { DEFAULT_STALL_LIMITS, type StallLimits } from './stall.ts';
import type {
  ClientIdentity,
  TracedRequest,
  TraceRequest,
  TransportLog,
  TransportParts,
} from './transport-parts.ts';

const DEFAULT_CLIENT: ClientIdentity = {
  id: 'oci-client',
  userAgent: 'oci-client',
  annotationPrefix: 'io.oci-client',
};

export interface TransportOptions {
  /** Checks every address before connecting; without it all addresses are allowed. */
  guard?: AddressGuard | undefined;
  /** Concurrent downloads, uploads and small requests per host, counted separately. */
  maxPerHost?: number;
  /** A function if the settings may change at run time. */
  proxy?: ProxyEnv | (() => ProxyEnv | undefined) | undefined;
  /** Attempts after the first. */
  retries?: number;
  /** First delay between attempts; doubled each time. */
  retryBaseMs?: number;
  /** Origins that a redirect may lead to, besides the requested one; any if not given. */
  redirectOrigins?: readonly string[] | undefined;
  /** How this client identifies itself; see `ClientIdentity`. */
  client?: Partial<ClientIdentity> | undefined;
  log?: TransportLog | undefined;
  /** Called for each request and each redirect that is followed. */
  trace?: TraceRequest | undefined;
  /** Threads that write large blobs to files; without them this thread does. */
  movers?: BlobMovers | undefined;
  lookup?: Lookup;
  connectTimeoutMs?: number;
  /** Requests to this origin use a Unix socket, without TLS. */
  socket?: { origin: string; path: string } | undefined;
  /** Limits for idle and slow servers. */
  stall?: Partial<StallLimits>;
}

export interface OpenAnswer extends StreamAnswer {
  /** Final URL, after redirects. */
  url: URL;
}

export interface Transport {
  /**
   * Sends a request and reads a small response. 429 and 5xx are returned only after the last retry.
   */
  send(call: HttpRequest): Promise<HttpResponse>;
  /** Streams a GET. The slot of the host is held until the body is read or cancelled. */
  open(call: Omit<HttpRequest, 'method' | 'body'>): Promise<OpenAnswer>;
  readonly retry: RetryPolicy;
  readonly client: ClientIdentity;
  /** Where other threads may move blobs for this transport. */
  readonly moving?: { movers: BlobMovers; parts: TransportParts } | undefined;
  /** Closes idle connections; running requests continue. */
  close(): void;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const DEFAULT_MAX_PER_HOST = 6;

export function createTransport(options: TransportOptions = {}): Transport {
  const parts = partsOf(options);
  const { movers } = options;
  return { ...assembleTransport(parts), moving: movers && { movers, parts } };
}

function partsOf(options: TransportOptions): TransportParts {
  const { proxy, retries, retryBaseMs } = options;
  return {
    settings: {
      timeoutMs: options.connectTimeoutMs ?? 10_000,
      socket: options.socket,
      stall: { ...DEFAULT_STALL_LIMITS, ...options.stall },
      retry: {
        ...DEFAULT_RETRY,
        ...(retries !== undefined && { retries }),
        ...(retryBaseMs !== undefined && { baseMs: retryBaseMs }),
      },
      client: { ...DEFAULT_CLIENT, ...options.client },
      redirectOrigins: options.redirectOrigins,
    },
    lookup: guardedLookup(options.guard, options.lookup),
    proxy: typeof proxy === 'function' ? proxy : () => proxy,
    limiter: new HostLimiter(options.maxPerHost ?? DEFAULT_MAX_PER_HOST),
    log: options.log,
    trace: options.trace,
  };
}

/** @param connections Idle connections that earlier transports of the same settings have opened. */
export function assembleTransport(
  { settings, lookup, proxy, limiter, log, trace }: TransportParts,
  connections?: ConnectionPool,
): Transport {
  const { retry, client, redirectOrigins, stall, timeoutMs, socket } = settings;
  const http = createHttpClient(
    createDialer({ lookup, proxy, timeoutMs, socket }),
    stall,
    connections,
  );
  const common = {
    'user-agent': client.userAgent,
    'accept-encoding': 'identity',
    ...settings.headers,
  };
  const context = { limiter, common, http, trace };
  return {
    retry,
    client,
    send: (call) =>
      repeated(call, retry, log, () =>
        followRedirects(call, (hop) => sendHop(hop, context), {
          discard: () => undefined,
          redirectOrigins,
        }),
      ),
    open: (call) =>
      repeated({ ...call, method: 'GET' }, retry, log, () =>
        followRedirects({ ...call, method: 'GET' }, (hop) => openHop(hop, context), {
          discard: (answer) => answer.cancel(),
          redirectOrigins,
        }),
      ),
    close: () => http.close(),
  };
}

interface HopContext {
  limiter: Limiter;
  common: Headers;
  http: HttpClient;
  trace: TraceRequest | undefined;
}

async function sendHop(call: HttpRequest, context: HopContext): Promise<HttpResponse> {
  const requestClass: RequestClass = call.body ? 'write' : 'control';
  const leave = await context.limiter.enter(requestClass, call.url.host, call.signal);
  const traced = tracedHop(call, context);
  try {
    const answer = await context.http.request({
      ...call,
      headers: headersOf(call, context, traced),
    });
    const { status, headers } = answer;
    const body = await collect(answer, call.maxBytes ?? MAX_ANSWER_BYTES, call.cut);
    traced?.ended({ status });
    return { status, headers, body, url: call.url };
  } catch (error) {
    traced?.ended({ error });
    throw error;
  } finally {
    leave();
  }
}

function tracedHop({ method, url }: HttpRequest, { trace }: HopContext): TracedRequest | null {
  const { hostname, port, pathname } = url;
  return trace?.({ method, hostname, port, pathname }) ?? null;
}

async function collect(
  { status, chunks }: StreamAnswer,
  maxBytes: number,
  cut = status >= 400,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (chunk.length > left && !cut) {
      throw tooLarge(
        'REGISTRY_ANSWER_TOO_LARGE',
        `an answer of the registry has more than ${maxBytes} bytes`,
      );
    }
    // A copy, because the memory of a chunk is reused for the next one.
    pieces.push(new Uint8Array(chunk.subarray(0, left)));
    if (chunk.length > left) break;
    left -= chunk.length;
  }
  return Buffer.concat(pieces);
}

async function openHop(call: HttpRequest, context: HopContext): Promise<OpenAnswer> {
  const leave = await context.limiter.enter('read', call.url.host, call.signal);
  const traced = tracedHop(call, context);
  try {
    const answer = await context.http.request({
      ...call,
      headers: headersOf(call, context, traced),
    });
    const { status } = answer;
    let isOpen = true;
    const end = (error?: unknown) => {
      leave();
      if (isOpen) traced?.ended({ status, error });
      isOpen = false;
    };
    const cancel = () => {
      answer.cancel();
      end();
    };
    return { ...answer, url: call.url, chunks: thenEnd(answer.chunks, end), cancel };
  } catch (error) {
    leave();
    traced?.ended({ error });
    throw error;
  }
}

async function* thenEnd(
  chunks: OpenAnswer['chunks'],
  end: (error?: unknown) => void,
): OpenAnswer['chunks'] {
  let fault: unknown;
  try {
    yield* chunks;
  } catch (error) {
    fault = error;
    throw error;
  } finally {
    end(fault);
  }
}

function headersOf(
  { headers, authorization }: HttpRequest,
  { common }: HopContext,
  traced: TracedRequest | null,
): Headers {
  return { ...common, ...headers, ...traced?.headers, ...(authorization && { authorization }) };
}

async function repeated<T extends Reply>(
  call: HttpRequest,
  policy: RetryPolicy,
  log: TransportLog | undefined,
  attempt: () => Promise<T & { cancel?: () => void }>,
): Promise<T> {
  for (let attempts = 0; ; attempts++) {
    const outcome = await attempt().catch((error: unknown) => {
      if (call.retry === false || !isRetryable(error)) throw error;
      return error;
    });
    const failed = outcome instanceof Error;
    if (!failed && (call.retry === false || !isRetryableStatus(outcome.status))) return outcome;
    const retryAfter = failed
      ? outcome.retryAfter
      : parseRetryAfter(outcome.headers['retry-after'], Date.now());
    const wait = nextWaitMs(attempts, failed ? policyAfter(outcome, policy) : policy, retryAfter);
    if (wait === undefined) {
      if (failed) throw outcome;
      return outcome;
    }
    if (!failed) outcome.cancel?.();
    const { method, url } = call;
    log?.debug(
      {
        method,
        host: url.host,
        path: url.pathname,
        wait,
        cause: failed ? outcome.code : outcome.status,
      },
      'request is retried',
    );
    await pause(wait, call.signal);
  }
}
