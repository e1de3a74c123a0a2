/**
 * HTTP/1.1 client for streaming GETs of blobs over a `RawConnection`. Node's client allocates a
 * buffer and emits a stream event for every 64 KiB; here the kernel writes into one reused buffer.
 */
import { isOciError, type OciError, unavailable } from '../../oci-error.ts';
import { type Body, type Read, readBody, readHead } from './body-reader.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { Dialer, TlsTrust } from './dial.ts';
import { portOf, proxyAuthorization } from './proxy.ts';
import { RawConnection } from './raw-connection.ts';
import { type Headers, ProtocolFault, type ResponseHead } from './response-head.ts';
import { createStallDetector, idleError, type StallLimits } from './stall.ts';

interface StreamRequest {
  url: URL;
  headers: Headers;
  trust: TlsTrust;
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

export interface StreamClient {
  get(request: StreamRequest): Promise<StreamAnswer>;
  close(): void;
}

export function createStreamClient(dialer: Dialer, stall: StallLimits): StreamClient {
  const pool = new ConnectionPool();
  return {
    async get(request) {
      const key = poolKey(request, dialer);
      const reused = pool.take(key);
      if (reused) {
        // The server may have just closed the idle connection: then a new one is opened.
        const answer = await start(reused, request).catch((error: unknown) =>
          lostOrThrow(error, request),
        );
        if (answer) return answer;
      }
      return start(await open(request), request);
    },
    close: () => pool.close(),
  };

  async function open({ url, trust, signal }: StreamRequest): Promise<RawConnection> {
    const connection = new RawConnection(url.protocol === 'https:');
    const { socket, usesOnread } = await dialer.dial({
      url,
      trust,
      onread: connection.onread,
      signal,
    });
    return connection.attach(socket, !usesOnread);
  }

  async function start(connection: RawConnection, request: StreamRequest): Promise<StreamAnswer> {
    const key = poolKey(request, dialer);
    const watch = watched(connection, request, stall);
    try {
      connection.write(requestHead(request, dialer));
      const head = await readHead(watch.read, connection);
      let finished = false;
      const finish = (whole: boolean) => {
        if (finished) return;
        finished = true;
        watch.stop();
        if (whole && head.reusable) pool.give(key, connection);
        else connection.destroy();
      };
      return answerOf(head, readBody(head.framing, watch.read, connection), finish);
    } catch (error) {
      watch.stop();
      connection.destroy();
      throw fault(error, request);
    }

    function answerOf(
      head: ResponseHead,
      body: Body,
      finish: (whole: boolean) => void,
    ): StreamAnswer {
      return {
        status: head.status,
        headers: head.headers,
        chunks: delivered(body, finish, (error) => fault(error, request)),
        cancel: () => finish(false),
      };
    }
  }
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
function watched(
  connection: RawConnection,
  { signal, url }: StreamRequest,
  stall: StallLimits,
): { read: Read; stop(): void } {
  const detector = createStallDetector(stall, url.host);
  let waiting = false;
  const onSilence = () => {
    // A slow reader on our side does not count.
    if (waiting) connection.destroy(idleError(url.host, stall.idleMs));
    else timer.refresh();
  };
  const timer = setTimeout(onSilence, stall.idleMs).unref();
  const onAbort = () => connection.destroy(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const read = async () => {
    waiting = true;
    timer.refresh();
    const asked = performance.now();
    try {
      const piece = await connection.read();
      detector.note(performance.now() - asked, piece?.byteLength ?? 0);
      return piece;
    } finally {
      waiting = false;
    }
  };
  return { read, stop };

  function stop(): void {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function poolKey({ url, trust }: StreamRequest, dialer: Dialer): string {
  return [url.protocol, url.hostname, portOf(url), dialer.route(url), trust.verify, trust.ca].join(
    ' ',
  );
}

function requestHead({ url, headers }: StreamRequest, dialer: Dialer): string {
  const proxy = dialer.forwarder(url);
  const target = proxy
    ? `${url.origin}${url.pathname}${url.search}`
    : `${url.pathname}${url.search}`;
  const authorization = proxy && proxyAuthorization(proxy);
  const fields = Object.entries({
    host: url.host,
    ...headers,
    ...(authorization && { 'proxy-authorization': authorization }),
  });
  return `GET ${target} HTTP/1.1\r\n${fields.map(formatField).join('')}\r\n`;
}

/** A line break in a value would inject a header field. */
function formatField([name, value]: [string, string]): string {
  if (/[^\t\x20-\x7e]/.test(value))
    throw new RangeError(`the header ${name} has characters that are not allowed`);
  return `${name}: ${value}\r\n`;
}

function lostOrThrow(error: unknown, { signal }: StreamRequest): undefined {
  signal?.throwIfAborted();
  if (isOciError(error) && error.code === 'REGISTRY_UNREACHABLE') return undefined;
  throw error;
}

function fault(error: unknown, { url, signal }: StreamRequest): unknown {
  if (signal?.aborted) return signal.reason;
  if (isOciError(error) || error instanceof RangeError) return error;
  return error instanceof ProtocolFault ? answerInvalid(error, url) : broken(error, url);
}

export function answerInvalid(cause: Error, url: URL): OciError {
  const message = `${url.host} answered with something that is not HTTP/1.1: ${cause.message}`;
  return unavailable('REGISTRY_ANSWER_INVALID', message, { cause, detail: { host: url.host } });
}

export function broken(cause: unknown, url: URL): OciError {
  return unavailable('REGISTRY_UNREACHABLE', `the connection to ${url.host} broke`, {
    cause,
    detail: { host: url.host },
  });
}
