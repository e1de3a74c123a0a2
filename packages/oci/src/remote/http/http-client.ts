/**
 * HTTP/1.1 client over a `RawConnection`, for blobs and small requests. Node's clients allocate a
 * buffer and emit a stream event for every 64 KiB; here the kernel writes into one reused buffer.
 */
import { unlessAborted } from '../../copy/concurrency.ts';
import { isOciError, type OciError, unavailable } from '../../oci-error.ts';
import { type Body, type Read, readBody, readHead } from './body-reader.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { Dialer, TlsTrust } from './dial.ts';
import type { Method, RequestBody } from './message.ts';
import { portOf, proxyAuthorization } from './proxy.ts';
import { RawConnection } from './raw-connection.ts';
import { type Headers, ProtocolFault } from './response-head.ts';
import { createStallDetector, idleError, type StallLimits } from './stall.ts';

interface ClientRequest {
  method: Method;
  url: URL;
  headers: Headers;
  trust: TlsTrust;
  body?: RequestBody | undefined;
  signal?: AbortSignal | undefined;
}

export interface StreamAnswer {
  status: number;
  headers: Headers;
  /** Single pass; a chunk is valid until the next one is requested. Throws if the body was cut. */
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Releases the connection; needed only if `chunks` is not read to its end. */
  cancel(): void;
}

export interface HttpClient {
  request(request: ClientRequest): Promise<StreamAnswer>;
  close(): void;
}

/** A registry may copy a whole layer to its storage before it answers the end of an upload. */
const UPLOAD_MS = 10 * 60_000;

export function createHttpClient(
  dialer: Dialer,
  stall: StallLimits,
  pool = new ConnectionPool(),
): HttpClient {
  return {
    async request(request) {
      const key = poolKey(request, dialer);
      const reused = pool.take(key);
      if (!reused) return start(await open(request), request);
      try {
        return await start(reused, request);
      } catch (error) {
        if (!wasLost(error, request)) throw error;
        return start(await open(request), request);
      }
    },
    close: () => pool.close(),
  };

  async function open({ url, trust, signal }: ClientRequest): Promise<RawConnection> {
    const connection = new RawConnection();
    const { socket, usesOnread } = await dialer.dial({
      url,
      trust,
      onread: connection.onread,
      signal,
    });
    return connection.attach(socket, !usesOnread);
  }

  async function start(connection: RawConnection, request: ClientRequest): Promise<StreamAnswer> {
    const key = poolKey(request, dialer);
    const { method, url, body, signal } = request;
    const limits = body ? { ...stall, idleMs: UPLOAD_MS, windowMs: UPLOAD_MS } : stall;
    const watch = watchBody(connection, request, limits);
    try {
      void connection.write(requestHead(request, dialer));
      const answered = readHead(watch.read, connection, method);
      const sent = !body || (await sendBody(body, connection, { answered, watch, signal }));
      const head = await answered;
      watch.limit(stall);
      let finished = false;
      const finish = (whole: boolean) => {
        if (finished) return;
        finished = true;
        watch.stop();
        // A connection with an incomplete request or response cannot be reused.
        if (whole && sent && head.reusable) pool.give(key, connection);
        else connection.destroy();
      };
      return {
        status: head.status,
        headers: head.headers,
        chunks: delivered(readBody(head.framing, watch.read, connection), finish, (error) =>
          fault(error, request),
        ),
        cancel: () => finish(false),
      };
    } catch (error) {
      watch.stop();
      connection.destroy();
      throw fault(error, { url, signal });
    }
  }
}

interface Watch {
  read: Read;
  /** Notes that the server takes our bytes. */
  refresh(): void;
  /** Replaces the limits, for the part of the exchange that follows. */
  limit(stall: StallLimits): void;
  stop(): void;
}

/**
 * True once the whole body is sent. Stops when a response arrives early: it is an error. A failed
 * write is reported by the reader.
 */
async function sendBody(
  body: RequestBody,
  connection: RawConnection,
  {
    answered,
    watch,
    signal,
  }: { answered: Promise<unknown>; watch: Watch; signal: AbortSignal | undefined },
): Promise<boolean> {
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  const ended = answered.then(stop, stop);
  const send = async () => {
    for await (const chunk of await body.open()) {
      if (stopped) return false;
      // The source reuses the chunk's memory for the next one: wait until it is written.
      await Promise.race([connection.write(chunk), ended]);
      watch.refresh();
    }
    return true;
  };
  return unlessAborted(send(), signal);
}

async function* delivered(
  body: Body,
  finish: (whole: boolean) => void,
  asFault: (error: unknown) => unknown,
): Body {
  let whole = false;
  try {
    yield* body;
    whole = true;
  } catch (error) {
    throw asFault(error);
  } finally {
    finish(whole);
  }
}

/** Reads that fail when the server is idle or too slow, or when the caller aborts. */
function watchBody(
  connection: RawConnection,
  { signal, url }: ClientRequest,
  initial: StallLimits,
): Watch {
  let stall = initial;
  let detector = createStallDetector(stall, url.host);
  let waiting = false;
  const onSilence = () => {
    // A slow reader on our side does not count.
    if (waiting) connection.destroy(idleError(url.host, stall.idleMs));
    else timer.refresh();
  };
  let timer = setTimeout(onSilence, stall.idleMs).unref();
  const onAbort = () => connection.destroy(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    async read() {
      waiting = true;
      timer.refresh();
      const startedAt = performance.now();
      try {
        const piece = await connection.read();
        detector.note(performance.now() - startedAt, piece?.byteLength ?? 0);
        return piece;
      } finally {
        waiting = false;
      }
    },
    refresh: () => void timer.refresh(),
    limit(next) {
      if (next === stall) return;
      clearTimeout(timer);
      stall = next;
      detector = createStallDetector(stall, url.host);
      timer = setTimeout(onSilence, stall.idleMs).unref();
    },
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

function poolKey({ url, trust }: ClientRequest, dialer: Dialer): string {
  return [url.protocol, url.hostname, portOf(url), dialer.route(url), trust.verify, trust.ca].join(
    ' ',
  );
}

function requestHead({ method, url, headers, body }: ClientRequest, dialer: Dialer): string {
  const proxy = dialer.forwarder(url);
  const target = proxy
    ? `${url.origin}${url.pathname}${url.search}`
    : `${url.pathname}${url.search}`;
  const authorization = proxy && proxyAuthorization(proxy);
  const fields = Object.entries({
    host: url.host,
    ...headers,
    ...(authorization && { 'proxy-authorization': authorization }),
    ...((body || method === 'POST' || method === 'PUT') && {
      'content-length': String(body?.size ?? 0),
    }),
  });
  return `${method} ${target} HTTP/1.1\r\n${fields.map(formatField).join('')}\r\n`;
}

/** A line break in a value would inject a header field. */
function formatField([name, value]: [string, string]): string {
  if (/[^\t\x20-\x7e]/.test(value))
    throw new RangeError(`the header ${name} has characters that are not allowed`);
  return `${name}: ${value}\r\n`;
}

/** A server may close an idle connection at any time: such a request is repeated on a new one. */
function wasLost(error: unknown, { method, signal }: ClientRequest): boolean {
  if (signal?.aborted || (method !== 'GET' && method !== 'HEAD')) return false;
  return isOciError(error) && error.code === 'REGISTRY_UNREACHABLE';
}

function fault(error: unknown, { url, signal }: Pick<ClientRequest, 'url' | 'signal'>): unknown {
  if (signal?.aborted) return signal.reason;
  if (isOciError(error) || error instanceof RangeError) return error;
  return error instanceof ProtocolFault ? answerInvalid(error, url) : broken(error, url);
}

function answerInvalid(cause: Error, url: URL): OciError {
  const message = `${url.host} answered with something that is not HTTP/1.1: ${cause.message}`;
  return unavailable('REGISTRY_ANSWER_INVALID', message, { cause, detail: { host: url.host } });
}

function broken(cause: unknown, url: URL): OciError {
  return unavailable('REGISTRY_UNREACHABLE', `the connection to ${url.host} broke`, {
    cause,
    detail: { host: url.host },
  });
}
