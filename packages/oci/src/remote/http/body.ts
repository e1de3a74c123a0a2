/**
 * The data path of blobs: HTTP/1.1 GET straight over a `Wire`. Node's own client makes a stream event and a fresh
 * buffer out of every 64 KiB; here the bytes go from the kernel into one buffer and from there to the reader.
 */
import { type AppError, isAppError, unavailable } from '@portcullis/errors';
import { type Body, type Read, readBody, readHead } from './body-reader.ts';
import type { Dialer, Trust } from './dial.ts';
import { type Pace, paceMeter, silent } from './pace.ts';
import { portOf, proxyAuthorization } from './proxy.ts';
import { type Headers, ProtocolFault, type ResponseHead } from './response-head.ts';
import { Wire } from './wire.ts';
import { WirePool } from './wire-pool.ts';

export interface BodyRequest {
  url: URL;
  headers: Headers;
  trust: Trust;
  signal?: AbortSignal | undefined;
}

export interface BodyAnswer {
  status: number;
  headers: Headers;
  /** One pass; a chunk is valid until the next is asked for. Ends with an error where the body was cut. */
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Lets the connection go; needed only where `chunks` isn't read to its end. */
  cancel(): void;
}

export interface BodyClient {
  get(request: BodyRequest): Promise<BodyAnswer>;
  close(): void;
}

export function createBodyClient(dialer: Dialer, pace: Pace): BodyClient {
  const pool = new WirePool();
  return {
    async get(request) {
      const key = poolKey(request, dialer);
      const reused = pool.take(key);
      if (reused) {
        // The server may have closed it at this very moment: then a new one is the answer, not an error.
        const answer = await start(reused, request).catch((error: unknown) =>
          lostOrThrow(error, request),
        );
        if (answer) return answer;
      }
      return start(await open(request), request);
    },
    close: () => pool.close(),
  };

  async function open({ url, trust, signal }: BodyRequest): Promise<Wire> {
    const wire = new Wire(url.protocol === 'https:');
    const { socket, usesOnread } = await dialer.dial({ url, trust, onread: wire.onread, signal });
    return wire.attach(socket, !usesOnread);
  }

  async function start(wire: Wire, request: BodyRequest): Promise<BodyAnswer> {
    const key = poolKey(request, dialer);
    const watch = watched(wire, request, pace);
    try {
      wire.write(requestHead(request, dialer));
      const head = await readHead(watch.read, wire);
      let finished = false;
      const finish = (whole: boolean) => {
        if (finished) return;
        finished = true;
        watch.stop();
        if (whole && head.reusable) pool.give(key, wire);
        else wire.destroy();
      };
      return answerOf(head, readBody(head.framing, watch.read, wire), finish);
    } catch (error) {
      watch.stop();
      wire.destroy();
      throw fault(error, request);
    }

    function answerOf(
      head: ResponseHead,
      body: Body,
      finish: (whole: boolean) => void,
    ): BodyAnswer {
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

/** Reads that give up when the other side falls silent or is too slow, or when the caller gives up. */
function watched(
  wire: Wire,
  { signal, url }: BodyRequest,
  pace: Pace,
): { read: Read; stop(): void } {
  const meter = paceMeter(pace, url.host);
  let waiting = false;
  const onSilence = () => {
    // A slow reader is not a silent server.
    if (waiting) wire.destroy(silent(url.host, pace.silenceMs));
    else timer.refresh();
  };
  const timer = setTimeout(onSilence, pace.silenceMs).unref();
  const onAbort = () => wire.destroy(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const read = async () => {
    waiting = true;
    timer.refresh();
    const asked = performance.now();
    try {
      const piece = await wire.read();
      meter.note(performance.now() - asked, piece?.byteLength ?? 0);
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

function poolKey({ url, trust }: BodyRequest, dialer: Dialer): string {
  return [url.protocol, url.hostname, portOf(url), dialer.route(url), trust.verify, trust.ca].join(
    ' ',
  );
}

function requestHead({ url, headers }: BodyRequest, dialer: Dialer): string {
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

/** A line break in a value would be a header field of somebody else's making. */
function formatField([name, value]: [string, string]): string {
  if (/[^\t\x20-\x7e]/.test(value))
    throw new RangeError(`the header ${name} has characters that are not allowed`);
  return `${name}: ${value}\r\n`;
}

function lostOrThrow(error: unknown, { signal }: BodyRequest): undefined {
  signal?.throwIfAborted();
  if (isAppError(error) && error.code === 'REGISTRY_UNREACHABLE') return undefined;
  throw error;
}

function fault(error: unknown, { url, signal }: BodyRequest): unknown {
  if (signal?.aborted) return signal.reason;
  if (isAppError(error) || error instanceof RangeError) return error;
  return error instanceof ProtocolFault ? answerInvalid(error, url) : broken(error, url);
}

export function answerInvalid(cause: Error, url: URL): AppError {
  const message = `${url.host} answered with something that is not HTTP/1.1: ${cause.message}`;
  return unavailable('REGISTRY_ANSWER_INVALID', message, { cause, detail: { host: url.host } });
}

export function broken(cause: unknown, url: URL): AppError {
  return unavailable('REGISTRY_UNREACHABLE', `the connection to ${url.host} broke`, {
    cause,
    detail: { host: url.host },
  });
}
