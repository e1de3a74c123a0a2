/** `WWW-Authenticate` (RFC 6750 § 3, RFC 7617): where to get a token, and for what. */

import { scopeOf } from './authorize.ts';
import type { V2Request } from './parse.ts';

const SERVICE_NAME = 'portcullis';

export function bearerChallenge(publicUrl: string, asked: V2Request | null, wasGiven: boolean): string {
  const scope = asked ? scopeOf(asked) : undefined;
  const parts = {
    realm: `${publicUrl}/v2/token`,
    service: serviceOf(publicUrl),
    ...(scope && { scope }),
    ...(wasGiven && { error: 'invalid_token' }),
  };
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(',')}`;
}

export function basicChallenge(publicUrl: string): string {
  return `Basic realm=${quoted(serviceOf(publicUrl))}`;
}

function serviceOf(publicUrl: string): string {
  return URL.parse(publicUrl)?.host ?? SERVICE_NAME;
}

/** The public URL may come from a `Host` header: nothing of it may end the string. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"`;
}
