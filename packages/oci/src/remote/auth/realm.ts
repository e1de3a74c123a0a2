/** Decides which token services may receive the credentials of a registry. */
import { getDomain } from 'tldts';

/** Registries whose token service is known to be on another domain. */
const KNOWN_REALMS: Readonly<Record<string, readonly string[]>> = {
  'registry-1.docker.io': ['auth.docker.io'],
  'registry.gitlab.com': ['gitlab.com'],
  'registry.redhat.io': ['sso.redhat.com'],
  'registry.connect.redhat.com': ['sso.redhat.com'],
};

/**
 * Domains shared by independent customers that the Public Suffix List does not list: clouds with
 * one host name per customer, and wildcard DNS services such as `nip.io`.
 */
const SHARED_DOMAINS: readonly string[] = [
  'amazonaws.com',
  'amazonaws.com.cn',
  'azurecr.cn',
  'azurecr.io',
  'azurecr.us',
  'googleapis.com',
  'icr.io',
  'jfrog.io',
  'nip.io',
  'ocir.io',
  'pkg.dev',
  'scw.cloud',
  'sslip.io',
  'windows.net',
];

/**
 * A realm receives the credentials if it is on the host of the registry (any port), is a known
 * pair, or has the same registrable domain by the Public Suffix List, except for shared domains
 * (`github.io`, `azurecr.io`). Other realms get anonymous requests. The realm must use https unless
 * the registry itself is reached over http.
 * @param tokenHosts `host[:port]` that the owner of the login allows as well
 */
export function trustsRealm(
  registry: URL,
  realm: URL,
  tokenHosts: readonly string[] = [],
): boolean {
  if (!isUsableRealm(registry, realm)) return false;
  const [ours, theirs] = [nameOf(registry), nameOf(realm)];
  if (tokenHosts.some((host) => isHost(realm, host))) return true;
  if (ours === theirs || KNOWN_REALMS[ours]?.includes(theirs)) return true;
  const domain = registrableDomain(ours);
  return domain !== null && domain === registrableDomain(theirs);
}

/** Whether the realm may be used at all. */
export function isUsableRealm(registry: URL, realm: URL): boolean {
  return (
    realm.protocol === 'https:' || (realm.protocol === 'http:' && registry.protocol === 'http:')
  );
}

/** A host without a port is that of the scheme. */
function isHost(realm: URL, host: string): boolean {
  return URL.parse(`${realm.protocol}//${host}`)?.host === realm.host;
}

function nameOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '');
}

/**
 * Null for addresses, single labels and public suffixes, where only the identical host is trusted.
 */
function registrableDomain(name: string): string | null {
  if (SHARED_DOMAINS.some((shared) => name === shared || name.endsWith(`.${shared}`))) return null;
  return getDomain(name, { allowPrivateDomains: true });
}
