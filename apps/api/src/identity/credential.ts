/** Reads the credential of a request: a header, or the session cookie. */
import type { IncomingMessage } from 'node:http';

const SESSION_COOKIE = 'pc_token';
/** With TLS, neither other hosts of the domain nor plain HTTP can set a cookie of this prefix. */
const HOST_PREFIX = '__Host-';

export type Credential =
  | { kind: 'bearer'; token: string; from: 'header' | 'cookie' }
  | { kind: 'basic'; username: string; password: string }
  | { kind: 'malformed' }
  /** Another host of the domain may have set one of them. */
  | { kind: 'two_cookies' };

export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? HOST_PREFIX + name : name;
}

export function sessionCookieName(isSecure: boolean): string {
  return cookieName(SESSION_COOKIE, isSecure);
}

/** The `Authorization` header if there is one, else the session cookie. */
export function credentialOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  isSecure: boolean,
): Credential | null {
  if (headers.authorization !== undefined) return fromHeader(headers.authorization);
  const [token, ...others] = cookiesOf(headers, sessionCookieName(isSecure));
  if (others.length > 0) return { kind: 'two_cookies' };
  return token ? { kind: 'bearer', token, from: 'cookie' } : null;
}

function fromHeader(header: string): Credential {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  if (/^bearer$/i.test(scheme)) return { kind: 'bearer', token: value, from: 'header' };
  return (/^basic$/i.test(scheme) && basic(value)) || { kind: 'malformed' };
}

function basic(value: string): Credential | null {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return null;
  return { kind: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Null also where there are two of the name. */
export function cookieOf(headers: IncomingMessage['headers'], name: string): string | null {
  const [value, ...others] = cookiesOf(headers, name);
  return value === undefined || others.length > 0 ? null : value;
}

function cookiesOf({ cookie = '' }: IncomingMessage['headers'], name: string): string[] {
  return cookie.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    const isNamed = equals > 0 && pair.slice(0, equals).trim() === name;
    return isNamed ? [pair.slice(equals + 1).trim()] : [];
  });
}
