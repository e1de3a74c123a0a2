/**
 * Follows the registry's redirects to its object store and streams the blob to the client; the
 * signed URL stays here. The store gets the conditional and range headers of the request, no
 * credential and no cookie.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isAppError, unavailable } from '@portcullis/errors';
import { isDigest } from '@portcullis/oci';
import type { Response } from 'express';
import type { V2Request } from '../routes.ts';
import { pathOf } from '../routes.ts';
import { isRegistryFault, registryUnavailable } from './registry-fault.ts';
import { followRedirects, isRedirect, type RedirectRule } from './store-origins.ts';
import { type ProxyTimeouts, watch } from './timeouts.ts';

interface StoreRead {
  v2Request: V2Request;
  /** The headers sent to the registry. */
  headers: IncomingMessage['headers'];
  /** Closing it cancels the request to the store. */
  response: Response;
}

export interface StoreReader {
  /**
   * The final response after all redirects, with the digest from the registry or the request; the
   * given response if it is no redirect.
   * @throws unavailable `REGISTRY_REDIRECT_REFUSED`, `REGISTRY_UNAVAILABLE`,
   * `REGISTRY_STORE_FAILED`
   */
  resolve(upstream: IncomingMessage, reading: StoreRead): Promise<IncomingMessage>;
  close(): void;
}

export interface StoreReaderOptions extends RedirectRule {
  /** `auth` and `agent` are used for redirects to the registry itself only. */
  auth?: string | undefined;
  agent: HttpAgent;
  timeouts: ProxyTimeouts;
}

export function createStoreReader({
  auth,
  agent,
  timeouts,
  ...rule
}: StoreReaderOptions): StoreReader {
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  };

  function ask(
    url: URL,
    { v2Request: { method }, headers, response }: StoreRead,
  ): Promise<IncomingMessage> {
    const isRegistry = url.origin === rule.registryUrl.origin;
    const isSecure = url.protocol === 'https:';
    const options = {
      method,
      headers: forStore(headers),
      agent: isRegistry ? agent : isSecure ? agents.https : agents.http,
      ...(isRegistry && auth !== undefined && { auth }),
    };
    const outgoing = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
    return waitForAnswer(outgoing, response, timeouts);
  }

  return {
    async resolve(upstream, reading) {
      if (!mayFollow(reading.v2Request, upstream)) return upstream;
      const digest = digestOf(upstream, reading.v2Request);
      const first = new URL(pathOf(reading.v2Request.route), rule.registryUrl.origin);
      const { answer, url } = await followRedirects(
        { answer: upstream, url: first },
        {
          locationOf: ({ statusCode = 0, headers: { location } }) =>
            isRedirect(statusCode) ? { location } : null,
          discard: (redirect) => void redirect.resume(),
          ask: (target) => ask(target, reading),
        },
        rule,
      );
      if (isRegistryFault(answer.statusCode ?? 502)) throw storeFault(answer, url);
      delete answer.headers.location;
      if (digest !== undefined) answer.headers['docker-content-digest'] = digest;
      return answer;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function mayFollow({ method, route }: V2Request, { statusCode = 0 }: IncomingMessage): boolean {
  const reads =
    (method === 'GET' || method === 'HEAD') && (route.kind === 'blob' || route.kind === 'manifest');
  return reads && isRedirect(statusCode);
}

function digestOf({ headers }: IncomingMessage, { route }: V2Request): string | undefined {
  const said = headers['docker-content-digest']?.toString();
  if (said !== undefined) return said;
  if (route.kind === 'blob') return route.digest;
  return route.kind === 'manifest' && isDigest(route.reference) ? route.reference : undefined;
}

const PASSED_ON = [
  'accept',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-range',
  'user-agent',
] as const;

/** Without compression: the digest is that of the stored bytes. */
function forStore(given: IncomingMessage['headers']): Record<string, string> {
  const kept = PASSED_ON.flatMap((name) => (given[name] ? [[name, String(given[name])]] : []));
  return { ...Object.fromEntries(kept), 'accept-encoding': 'identity' };
}

function waitForAnswer(
  outgoing: ClientRequest,
  response: Response,
  { connectMs, answerMs, stallMs }: ProxyTimeouts,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const giveUp = () => void outgoing.destroy(new Error('no answer'));
  const timer = setTimeout(giveUp, connectMs + answerMs);
  const leave = () => void outgoing.destroy();
  response.once('close', leave);
  watch(outgoing, response, { answerMs, stallMs });
  outgoing.once('response', (incoming) => {
    clearTimeout(timer);
    resolve(incoming);
  });
  outgoing.on('error', (cause) => reject(isAppError(cause) ? cause : registryUnavailable(cause)));
  outgoing.once('close', () => {
    clearTimeout(timer);
    response.off('close', leave);
    reject(registryUnavailable(new Error('the store closed the connection')));
  });
  if (response.destroyed) leave();
  else outgoing.end();
  return promise;
}

function storeFault(answer: IncomingMessage, { origin }: URL): Error {
  answer.resume();
  const cause = new Error(`${origin} answered ${answer.statusCode}`);
  const message =
    'the store of the registry failed; the log of the registry, or that of its store, has more';
  return unavailable('REGISTRY_STORE_FAILED', message, { cause });
}
