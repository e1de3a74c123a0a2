import type { IncomingMessage } from 'node:http';

export const SESSION_COOKIE = 'pc_token';

export type Credential =
  | { kind: 'bearer'; token: string; from: 'header' | 'cookie' }
  | { kind: 'basic'; username: string; password: string }
  | { kind: 'malformed' };

/** The `Authorization` header if there is one, else the session cookie. */
export function credentialOf({ headers }: Pick<IncomingMessage, 'headers'>): Credential | null {
  if (headers.authorization !== undefined) return fromHeader(headers.authorization);
  const token = cookieOf(headers, SESSION_COOKIE);
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

export function cookieOf(headers: IncomingMessage['headers'], name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
