/**
 * Follows redirects: at most five, only for methods that keep their meaning, never from https to
 * http, and without credentials once the origin changes.
 */
import { type OciError, unavailable } from '../../oci-error.ts';
import type { HttpRequest } from './message.ts';
import type { Headers } from './response-head.ts';

const MAX_REDIRECTS = 5;

export interface Reply {
  status: number;
  headers: Headers;
}

export async function followRedirects<T extends Reply>(
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
