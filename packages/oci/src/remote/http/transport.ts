/**
 * HTTP transport of all requests: concurrency limit per host, retries and redirects. It knows
 * nothing about registries.
 *
 * Redirects are followed at most five times, only for methods that keep their meaning, never from
 * https to http, and without credentials once the origin changes. The address guard checks every
 * hop.
 */
import { type OciError, unavailable } from '../../oci-error.ts';
import { createDialer, type TlsTrust } from './dial.ts';
import {
  createExchangeClient,
  type ExchangeClient,
  type HttpResponse,
  type Method,
  type RequestBody,
} from './exchange.ts';
import type { AddressGuard } from './guard.ts';
import { HostLimiter, type RequestClass } from './host-limiter.ts';
import { guardedLookup, type Lookup } from './lookup.ts';
import type { ProxyEnv } from './proxy.ts';
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
import { createStreamClient, type StreamAnswer, type StreamClient } from './stream-client.ts';

/** Subset of a pino logger. */
interface TransportLog {
  debug(facts: Record<string, unknown>, message: string): void;
}

/** How a client identifies itself to registries. */
export interface ClientIdentity {
  /** OAuth2 `client_id`, and the vendor in the media type of placeholder manifests. */
  id: string;
  userAgent: string;
  /** Prefix of the annotations that this client writes, such as `com.example`. */
  annotationPrefix: string;
}

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
  lookup?: Lookup;
  connectTimeoutMs?: number;
  /** Requests to this origin use a Unix socket, without TLS. */
  socket?: { origin: string; path: string } | undefined;
  /** Limits for idle and slow servers. */
  stall?: Partial<StallLimits>;
}

export interface HttpRequest {
  method: Method;
  url: URL;
  headers?: Headers | undefined;
  /** `Authorization` header; sent to the origin of `url` only. */
  authorization?: string | undefined;
  trust: TlsTrust;
  body?: RequestBody | undefined;
  maxBytes?: number | undefined;
  /** False for requests that must not be repeated or that the caller repeats itself. */
  retry?: boolean | undefined;
  /** False returns a redirect as a response, for requests that must not reach another address. */
  follow?: boolean | undefined;
  signal?: AbortSignal | undefined;
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
  /** Closes idle connections; running requests continue. */
  close(): void;
}

const MAX_REDIRECTS = 5;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const DEFAULT_MAX_PER_HOST = 6;

export function createTransport(options: TransportOptions = {}): Transport {
  const { proxy, log } = options;
  const stall = { ...DEFAULT_STALL_LIMITS, ...options.stall };
  const dialer = createDialer({
    lookup: guardedLookup(options.guard, options.lookup),
    proxy: typeof proxy === 'function' ? proxy : () => proxy,
    timeoutMs: options.connectTimeoutMs ?? 10_000,
    socket: options.socket,
  });
  const bodies = createStreamClient(dialer, stall);
  const exchanges = createExchangeClient(dialer, { stall, uploadMs: 10 * 60_000 });
  const limiter = new HostLimiter(options.maxPerHost ?? DEFAULT_MAX_PER_HOST);
  const retry = {
    ...DEFAULT_RETRY,
    ...(options.retries !== undefined && { retries: options.retries }),
    ...(options.retryBaseMs !== undefined && { baseMs: options.retryBaseMs }),
  };
  const client = { ...DEFAULT_CLIENT, ...options.client };
  const common = { 'user-agent': client.userAgent, 'accept-encoding': 'identity' };
  const context = { limiter, common };
  const { redirectOrigins } = options;
  return {
    retry,
    client,
    send: (call) =>
      repeated(call, retry, log, () =>
        followed(call, (hop) => sendHop(hop, exchanges, context), {
          discard: () => undefined,
          redirectOrigins,
        }),
      ),
    open: (call) =>
      repeated({ ...call, method: 'GET' }, retry, log, () =>
        followed({ ...call, method: 'GET' }, (hop) => openHop(hop, bodies, context), {
          discard: (answer) => answer.cancel(),
          redirectOrigins,
        }),
      ),
    close() {
      bodies.close();
      exchanges.close();
    },
  };
}

interface HopContext {
  limiter: HostLimiter;
  common: Headers;
}

async function sendHop(
  call: HttpRequest,
  exchanges: ExchangeClient,
  context: HopContext,
): Promise<HttpResponse> {
  const requestClass: RequestClass = call.body ? 'write' : 'control';
  const leave = await context.limiter.enter(requestClass, call.url.host, call.signal);
  try {
    const { maxBytes = MAX_ANSWER_BYTES } = call;
    return await exchanges.exchange({ ...call, maxBytes, headers: headersOf(call, context) });
  } finally {
    leave();
  }
}

async function openHop(
  call: HttpRequest,
  bodies: StreamClient,
  context: HopContext,
): Promise<OpenAnswer> {
  const leave = await context.limiter.enter('read', call.url.host, call.signal);
  try {
    const answer = await bodies.get({ ...call, headers: headersOf(call, context) });
    const cancel = () => {
      answer.cancel();
      leave();
    };
    return { ...answer, url: call.url, chunks: thenLeave(answer.chunks, leave), cancel };
  } catch (error) {
    leave();
    throw error;
  }
}

async function* thenLeave(chunks: OpenAnswer['chunks'], leave: () => void): OpenAnswer['chunks'] {
  try {
    yield* chunks;
  } finally {
    leave();
  }
}

function headersOf({ headers, authorization }: HttpRequest, { common }: HopContext): Headers {
  return { ...common, ...headers, ...(authorization && { authorization }) };
}

interface Reply {
  status: number;
  headers: Headers;
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

async function followed<T extends Reply>(
  first: HttpRequest,
  perform: (call: HttpRequest) => Promise<T>,
  {
    discard,
    redirectOrigins,
  }: { discard(answer: T): void; redirectOrigins: readonly string[] | undefined },
): Promise<T> {
  const isOpen = ({ origin }: URL) =>
    origin === first.url.origin || redirectOrigins?.includes(origin);
  let call = first;
  for (let hops = 0; ; hops++) {
    const answer = await perform(call);
    const location = redirectOf(answer, call);
    if (!location) return answer;
    discard(answer);
    if (hops === MAX_REDIRECTS) throw refused(call.url, 'it redirects too often');
    if (redirectOrigins && !isOpen(location))
      throw refused(call.url, 'it redirects to an origin that is not open');
    call = redirected(call, location);
  }
}

function redirectOf(
  { status, headers }: Reply,
  { method, url, follow }: HttpRequest,
): URL | undefined {
  if (follow === false || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const keepsMethod = status >= 307 || method === 'GET' || method === 'HEAD';
  if (!keepsMethod) throw refused(url, `it redirects a ${method} in a way that would lose it`);
  const location = headers.location ? URL.parse(headers.location, url.href) : null;
  if (!location) throw refused(url, 'it redirects to nowhere');
  return location;
}

function redirected(call: HttpRequest, location: URL): HttpRequest {
  if (location.protocol !== 'https:' && location.protocol !== call.url.protocol) {
    throw refused(call.url, `it redirects from ${scheme(call.url)} to ${scheme(location)}`);
  }
  location.username = '';
  location.password = '';
  location.hash = '';
  // Credentials stay dropped even if a later redirect returns to the first origin.
  const authorization = location.origin === call.url.origin ? call.authorization : undefined;
  return { ...call, url: location, authorization };
}

function scheme({ protocol }: URL): string {
  return protocol.replace(':', '');
}

function refused(url: URL, why: string): OciError {
  return unavailable('REDIRECT_REFUSED', `${url.host} sent a redirect that is refused: ${why}`, {
    detail: { host: url.host },
  });
}
