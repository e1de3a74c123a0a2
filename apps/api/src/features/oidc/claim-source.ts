/** Fetches a claim that the provider keeps elsewhere (OpenID Connect Core § 5.6.2). */
import type { CustomFetch } from 'openid-client';
import { z } from 'zod';
import type { OidcClaims } from './claims.ts';
import { sourceOf } from './groups.ts';

/** As an object with the claim, or as Microsoft Graph lists values. */
const Answer = z.record(z.string(), z.unknown());

export interface SourceOptions {
  fetch: CustomFetch;
  /** Of the login; sent to the origins of the provider alone. */
  accessToken: string;
  /** The login waits for the answer. */
  signal: AbortSignal;
  /** Addresses of the provider. */
  trusted: readonly string[];
}

/** Empty where the provider names no source that we may ask, or where that does not answer. */
export async function claimFromSource(
  claims: OidcClaims,
  claim: string,
  { fetch, accessToken, signal, trusted }: SourceOptions,
): Promise<OidcClaims> {
  const source = sourceOf(claims, claim);
  const url = source && URL.parse(source.endpoint);
  if (!url) return {};
  const isOwn = trusted.some((address) => URL.parse(address)?.origin === url.origin);
  const token = source.accessToken ?? (isOwn ? accessToken : null);
  if (token === null || !(url.protocol === 'https:' || isOwn)) return {};
  try {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const ask = { method: 'GET', headers, body: undefined, redirect: 'manual', signal } as const;
    const response = await fetch(url.href, ask);
    if (!response.ok) return {};
    const answer = Answer.parse(await response.json());
    const value = answer[claim] ?? answer.value;
    // Values in pages are not all there are.
    return value === undefined || '@odata.nextLink' in answer ? {} : { [claim]: value };
  } catch {
    // The login goes on without the claim, and says so.
    return {};
  }
}
