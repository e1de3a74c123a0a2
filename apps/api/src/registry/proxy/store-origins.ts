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
const MAX_HOPS = 3;

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

interface Redirects<T> {
  /** The answer's `Location`; null where it is no redirect. */
  locationOf(answer: T): { location: string | null | undefined } | null;
  /** Releases the connection of a redirect. */
  discard(answer: T): unknown;
  ask(url: URL): Promise<T>;
}

/**
 * Follows redirects from the answer of `url` to the registry and to configured stores. `ask` adds
 * credentials for the registry only.
 * @throws unavailable `REGISTRY_REDIRECT_REFUSED`
 */
export async function followRedirects<T>(
  first: { answer: T; url: URL },
  { locationOf, discard, ask }: Redirects<T>,
  rule: RedirectRule,
): Promise<{ answer: T; url: URL }> {
  let { answer, url } = first;
  for (let hops = 0; ; hops++) {
    const redirect = locationOf(answer);
    if (redirect === null) return { answer, url };
    await discard(answer);
    if (hops === MAX_HOPS) throw redirectRefused(`more than ${MAX_HOPS} addresses in turn`);
    url = redirectTarget(redirect.location, url, rule);
    answer = await ask(url);
  }
}

/** @param to an origin, or a text in place of an invalid one */
function redirectRefused(to: string): AppError {
  const message =
    "the registry sends its readers to a store that it may not send them to; the operator has to name the store's origin in REGISTRY_STORE_ORIGINS";
  return unavailable('REGISTRY_REDIRECT_REFUSED', message, {
    cause: new Error(`the registry redirects to ${to}`),
  });
}
