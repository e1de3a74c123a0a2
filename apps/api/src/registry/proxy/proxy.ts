/**
 * Reverse proxy to the built-in registry: streams both ways with back-pressure, and ends the
 * upstream request when the client disconnects.
 */
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isAppError } from '@portcullis/errors';
import { type RegistryAddress, registryAgent } from '@portcullis/local-registry';
import { type OutgoingTrace, traceOutgoing } from '@portcullis/runtime';
import type { Request, Response } from 'express';
import httpProxy from 'http-proxy';
import { sendRefusal } from '../errors.ts';
import { upstreamHeaders } from '../headers.ts';
import { formatQuery } from '../query.ts';
import { pathOf, type V2Request } from '../routes.ts';
import { isRegistryFault, registryFault, registryUnavailable } from './registry-fault.ts';
import type { Upstream } from './store-origins.ts';
import { createStoreReader } from './store-reader.ts';
import { answerTimeout, PROXY_TIMEOUTS, type ProxyTimeouts, watch } from './timeouts.ts';

interface Forwarding {
  v2Request: V2Request;
  /** A body that was read already, sent instead of the request's. */
  body: Buffer | undefined;
  /**
   * Called before the first byte of the reply; determines what the client receives. Null: nothing,
   * because the request goes on.
   */
  answer(status: number, upstream: IncomingMessage): Promise<ProxyAnswer | null>;
}

export interface ProxyAnswer {
  headers: OutgoingHttpHeaders;
  /** Stream stages for the body. */
  stages: readonly Transform[];
}

export interface RegistryProxy {
  /**
   * Resolves when the reply is sent or the client has disconnected. The short reply of a request
   * that is no GET counts as sent once it is complete here: locks are held until then, and it may
   * wait behind another response that the client of the connection does not read.
   * @throws errors of `registryFault`; unavailable `REGISTRY_UNAVAILABLE`; invalid for a request
   * that cannot be forwarded
   */
  forward(request: Request, response: Response, forwarding: Forwarding): Promise<void>;
  close(): void;
}

interface Exchange {
  begun(outgoing: ClientRequest): void;
  answered(upstream: IncomingMessage): void;
}

export function createRegistryProxy(
  { registry, storeOrigins }: Upstream,
  timeouts: ProxyTimeouts = PROXY_TIMEOUTS,
): RegistryProxy {
  const agent = registryAgent(registry, { keepAlive: true });
  const proxy = httpProxy.createProxyServer({
    agent,
    changeOrigin: true,
    ignorePath: true,
    selfHandleResponse: true, // Its own piping leaves the client waiting after an upstream abort.
    connectTimeout: timeouts.connectMs,
    ...basicAuth(registry),
  });
  const rule = { registryUrl: registry.base, storeOrigins };
  const store = createStoreReader({ ...rule, ...basicAuth(registry), agent, timeouts });
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  proxy.on('proxyReq', (outgoing, request) => exchanges.get(request)?.begun(outgoing));
  proxy.on('proxyRes', (upstream, request) => exchanges.get(request)?.answered(upstream));

  function forward(
    request: Request,
    response: Response,
    forwarding: Forwarding,
  ): ReturnType<RegistryProxy['forward']> {
    // A body that ended early would never be complete, and the event of that has passed.
    if (response.destroyed) return Promise.resolve();
    const { v2Request, body } = forwarding;
    const answerMs = answerTimeout(v2Request, timeouts);
    const { promise, resolve, reject } = Promise.withResolvers<void>();

    function send(mayRepeat: boolean): void {
      let sent: ClientRequest | undefined;
      exchanges.set(request, {
        begun(outgoing) {
          sent = outgoing;
          watch(outgoing, response, { ...timeouts, answerMs });
        },
        answered: (upstream) =>
          void store
            .resolve(upstream, { v2Request, headers: request.headers, response })
            .then((answer) => relay(answer, response, forwarding))
            .then(resolve, reject),
      });
      const target = targetOf(registry.base, v2Request);
      const { method } = v2Request;
      const options = { target, method, ...bodyOf(method, body) };
      proxy.web(request, response, options, (cause) => {
        if (mayRepeat && !response.destroyed && wasClosed(sent, cause)) return send(false);
        reject(isAppError(cause) ? cause : registryUnavailable(cause));
      });
    }

    const { hostname, port } = registry.base;
    const { method, route } = v2Request;
    const traced = traceOutgoing({ method, hostname, port, pathname: pathOf(route) });
    request.headers = {
      ...upstreamHeaders(v2Request, request.headers, body?.length),
      ...traced?.headers,
    };
    response.once('close', resolve);
    send(method === 'GET' || method === 'HEAD');
    return traced ? record(promise, traced) : promise;
  }

  return {
    forward,
    close() {
      agent.destroy();
      store.close();
    },
  };
}

async function record(forwarded: Promise<void>, traced: OutgoingTrace): Promise<void> {
  try {
    await forwarded;
    traced.ended({});
  } catch (error) {
    traced.ended({ error });
    throw error;
  }
}

/**
 * Whether the registry closed an idle connection just as the request was sent on it, without any
 * answer (https://nodejs.org/api/http.html#requestreusedsocket).
 */
function wasClosed(sent: ClientRequest | undefined, cause: Error & { code?: string }): boolean {
  return sent?.reusedSocket === true && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
}

function targetOf({ origin }: URL, { route, query }: V2Request): string {
  return origin + pathOf(route) + formatQuery(query);
}

function basicAuth({ credentials }: RegistryAddress): { auth?: string } {
  return credentials === null ? {} : { auth: `${credentials.username}:${credentials.password}` };
}

/** Bytes after the head of a request without a body are not forwarded (see `assertFraming`). */
function bodyOf(method: string, body: Buffer | undefined): { buffer?: Readable } {
  if (body) return { buffer: Readable.from([body]) };
  return method === 'GET' || method === 'HEAD' || method === 'DELETE'
    ? { buffer: Readable.from([]) }
    : {};
}

async function relay(
  upstream: IncomingMessage,
  response: Response,
  { v2Request, answer }: Forwarding,
): Promise<void> {
  const status = upstream.statusCode ?? 502;
  if (isRegistryFault(status)) throw await registryFault(v2Request, upstream);
  const answered = await answer(status, upstream).catch((error: unknown) => {
    upstream.resume(); // The connection is kept for the next request.
    throw error;
  });
  if (answered === null) return void upstream.resume();
  const { headers, stages } = answered;
  if (response.destroyed) return;
  if (status >= 400 && v2Request.method !== 'HEAD' && !isJson(upstream)) {
    upstream.resume();
    const range = upstream.headers['content-range'];
    if (range !== undefined) response.setHeader('Content-Range', range);
    sendRefusal(response, status);
    return;
  }
  response.writeHead(status, headers);
  const sent =
    v2Request.method === 'GET'
      ? pipeline([upstream, ...stages, response])
      : buffer(upstream).then((bytes) => void response.end(bytes));
  await sent.catch(() => response.destroy());
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.includes('json') ?? false;
}
