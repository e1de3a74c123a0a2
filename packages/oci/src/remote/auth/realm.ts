/** Which token services may see a registry's password. Pure. */
import { getDomain } from 'tldts';

/** Registries whose token service is known to live elsewhere. */
const KNOWN_REALMS: Readonly<Record<string, readonly string[]>> = {
  'registry-1.docker.io': ['auth.docker.io'],
  'registry.gitlab.com': ['gitlab.com'],
  'registry.redhat.io': ['sso.redhat.com'],
  'registry.connect.redhat.com': ['sso.redhat.com'],
};

/**
 * Domains under which strangers are each other's neighbours, and of which the Public Suffix List does not say so: clouds
 * that give each customer's registry a name of its own, and names made of anybody's address.
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
 * The realm gets the credentials when it is on the registry's own host (any port), is a known pair, or shares the
 * registry's registrable domain by the Public Suffix List, never one where strangers are neighbours (`github.io`,
 * `azurecr.io`). Everyone else is asked anonymously.
 * And it is asked over https, unless the registry itself is reached in plain text.
 */
export function trustsRealm(registry: URL, realm: URL): boolean {
  if (!isUsableRealm(registry, realm)) return false;
  const [ours, theirs] = [nameOf(registry), nameOf(realm)];
  if (ours === theirs || KNOWN_REALMS[ours]?.includes(theirs)) return true;
  const domain = registrableDomain(ours);
  return domain !== null && domain === registrableDomain(theirs);
}

/** Whether the realm may be asked at all. */
export function isUsableRealm(registry: URL, realm: URL): boolean {
  return (
    realm.protocol === 'https:' || (realm.protocol === 'http:' && registry.protocol === 'http:')
  );
}

function nameOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '');
}

/** Null for addresses, single names and public suffixes: only the very host is the host. */
function registrableDomain(name: string): string | null {
  if (SHARED_DOMAINS.some((shared) => name === shared || name.endsWith(`.${shared}`))) return null;
  return getDomain(name, { allowPrivateDomains: true });
}
