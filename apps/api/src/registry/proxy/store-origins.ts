/** Allowed redirect targets: the registry itself and its object store (REGISTRY_STORE_ORIGINS). */
import { type AppError, unavailable } from '@portcullis/errors';
import type { RegistryAddress } from '@portcullis/local-registry';

export interface Upstream {
  registry: RegistryAddress;
  storeOrigins: readonly string[];
}

export interface RedirectRule {
  registryUrl: URL;
  storeOrigins: readonly string[];
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
export const MAX_HOPS = 3;

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/**
 * Checks the address in a `Location`. It may be signed, so it is neither logged nor shown: only the
 * cause of the fault names the origin.
 * @throws unavailable `REGISTRY_REDIRECT_REFUSED`
 */
export function redirectTarget(
  location: string | null | undefined,
  from: URL,
  rule: RedirectRule,
): URL {
  const target = location ? URL.parse(location, from.href) : null;
  if (target === null) throw redirectRefused('no address');
  const { origin, protocol } = target;
  const isAllowed = origin === rule.registryUrl.origin || rule.storeOrigins.includes(origin);
  if (!isAllowed || (protocol !== 'http:' && protocol !== 'https:')) throw redirectRefused(origin);
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
}

/** @param to an origin, or a text in place of an invalid one */
export function redirectRefused(to: string): AppError {
  const message =
    "the registry sends its readers to a store that it may not send them to; the operator has to name the store's origin in REGISTRY_STORE_ORIGINS";
  return unavailable('REGISTRY_REDIRECT_REFUSED', message, {
    cause: new Error(`the registry redirects to ${to}`),
  });
}
