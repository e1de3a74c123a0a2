/** `WWW-Authenticate` (RFC 6750 § 3, RFC 7617): the token endpoint and the required scope. */

import type { V2Request } from '../routes.ts';
import { scopeOf } from './authorize.ts';

export const SERVICE_NAME = 'portcullis';

/** RFC 6750 § 3.1. */
export type BearerError = 'invalid_token' | 'insufficient_scope';

/** @param error of an invalid token; null for a request without one */
export function bearerChallenge(
  publicUrl: string,
  v2Request: V2Request | null,
  error: BearerError | null,
): string {
  const scope = v2Request ? scopeOf(v2Request) : undefined;
  const parts = {
    realm: `${publicUrl}/v2/token`,
    service: serviceOf(publicUrl),
    ...(scope && { scope }),
    ...(error && { error }),
  };
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(',')}`;
}

export function basicChallenge(publicUrl: string): string {
  return `Basic realm=${quote(serviceOf(publicUrl))}`;
}

/** The host of the public URL. */
export function serviceOf(publicUrl: string): string {
  return URL.parse(publicUrl)?.host ?? SERVICE_NAME;
}

/** The public URL may come from a `Host` header: no character of it may end the string. */
function quote(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"`;
}
