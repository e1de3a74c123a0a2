/** The way to the local registry: streams both ways with back-pressure, and ends upstream when the client goes away. */
import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@portcullis/errors';
import type { Request, Response } from 'express';
import httpProxy from 'http-proxy';
import { sendRefusal } from './errors.ts';
import { upstreamHeaders } from './headers.ts';
import { pathOf, type V2Request } from './parse.ts';
import { formatQuery } from './query.ts';

export interface Forwarding {
  asked: V2Request;
  /** Already read: sent instead of the request's own. */
  body: Buffer | undefined;
  /** Before the first byte goes to the client; says what it sees. */
  answer(status: number, upstream: IncomingMessage): Promise<Answer>;
}

export interface Answer {
  headers: OutgoingHttpHeaders;
  /** The body goes through it. */
  through: Transform | null;
}

export interface RegistryProxy {
  /**
   * Resolves when the answer is out, or the client is gone.
   * @throws unavailable `REGISTRY_UNAVAILABLE`; invalid when the request can't be forwarded
   */
  forward(request: Request, response: Response, forwarding: Forwarding): Promise<void>;
  close(): void;
}

type Relay = (upstream: IncomingMessage) => void;

/** The registry hashes a large blob before it answers: minutes pass without a byte. */
const SILENCE_MS = 15 * 60_000;

export function createRegistryProxy(registryUrl: URL): RegistryProxy {
  const agent = new (registryUrl.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const proxy = httpProxy.createProxyServer({
    agent,
    changeOrigin: true,
    ignorePath: true,
    selfHandleResponse: true, // its own piping leaves the client waiting when the registry breaks off
    proxyTimeout: SILENCE_MS,
    ...basicAuth(registryUrl),
  });
  const relays = new WeakMap<IncomingMessage, Relay>();
  proxy.on('proxyRes', (upstream, request) => relays.get(request)?.(upstream));
  return {
    forward: (request, response, forwarding) =>
      new Promise((resolve, reject) => {
        const { asked, body } = forwarding;
        const options = { target: targetOf(registryUrl, asked), ...bodyOf(asked.method, body) };
        request.headers = upstreamHeaders(asked, request.headers, body?.length);
        relays.set(request, (upstream) => void relay(upstream, response, forwarding).then(resolve, reject));
        response.once('close', resolve);
        proxy.web(request, response, options, (cause) => reject(registryUnavailable(cause)));
      }),
    close: () => agent.destroy(),
  };
}

function targetOf({ origin }: URL, { route, query }: V2Request): string {
  return origin + pathOf(route) + formatQuery(query);
}

/** Of an outside registry that asks for a password: it stands in the URL. */
function basicAuth({ username, password }: URL): { auth?: string } {
  return username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` };
}

/** Whatever comes after the head of a request without a body is not sent on (see `assertFraming`). */
function bodyOf(method: string, body: Buffer | undefined): { buffer?: Readable } {
  if (body) return { buffer: Readable.from([body]) };
  return method === 'GET' || method === 'HEAD' || method === 'DELETE' ? { buffer: Readable.from([]) } : {};
}

async function relay(
  upstream: IncomingMessage,
  response: Response,
  { asked, answer }: Forwarding,
): Promise<void> {
  const status = upstream.statusCode ?? 502;
  if (status >= 500 || status === 401 || status === 403) {
    upstream.resume();
    throw registryUnavailable(new Error(`the registry answered ${status}`)); // its trouble, not the client's
  }
  const { headers, through } = await answer(status, upstream);
  if (response.destroyed) return;
  if (status >= 400 && asked.method !== 'HEAD' && !isJson(upstream)) {
    upstream.resume();
    const range = upstream.headers['content-range'];
    if (range !== undefined) response.setHeader('Content-Range', range);
    sendRefusal(response, status);
    return;
  }
  response.writeHead(status, headers);
  await (through ? pipeline(upstream, through, response) : pipeline(upstream, response)).catch(() =>
    response.destroy(),
  );
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.includes('json') ?? false;
}

export function registryUnavailable(cause: unknown): Error {
  return unavailable('REGISTRY_UNAVAILABLE', 'the registry can not be reached; try again in a moment', {
    cause,
  });
}
