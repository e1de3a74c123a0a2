/** Which token services may see a registry's password (decisions.md § Access rules, 7). Pure. */

/** Registries whose token service is known to live elsewhere. */
const KNOWN_REALMS: Readonly<Record<string, readonly string[]>> = {
  'registry-1.docker.io': ['auth.docker.io'],
  'registry.gitlab.com': ['gitlab.com'],
  'registry.redhat.io': ['sso.redhat.com'],
  'registry.connect.redhat.com': ['sso.redhat.com'],
};

/** Domains under which strangers are each other's neighbours, as under `com`. */
const SHARED_SUFFIXES = new Set([
  'amazonaws.com',
  'azurecr.io',
  'azurewebsites.net',
  'cloudapp.net',
  'cloudfront.net',
  'duckdns.org',
  'fly.dev',
  'github.io',
  'gitlab.io',
  'googleapis.com',
  'herokuapp.com',
  'netlify.app',
  'ngrok.io',
  'onrender.com',
  'pages.dev',
  'pkg.dev',
  'run.app',
  'vercel.app',
  'workers.dev',
]);

/**
 * The realm gets the credentials when it is on the registry's own host (any port), is a known pair, or shares the
 * registry's registrable domain: the last two labels, three under country codes with short second levels (`co.uk`),
 * never one where strangers are neighbours (`azurecr.io`, `github.io`). Everyone else is asked anonymously.
 * And it is asked over https, unless the registry itself is reached in plain text.
 */
export function trustsRealm(registry: URL, realm: URL): boolean {
  if (!isUsableRealm(registry, realm)) return false;
  const [ours, theirs] = [nameOf(registry), nameOf(realm)];
  if (ours === theirs || KNOWN_REALMS[ours]?.includes(theirs)) return true;
  const domain = registrableDomain(ours);
  return domain !== undefined && domain === registrableDomain(theirs);
}

/** Whether the realm may be asked at all. */
export function isUsableRealm(registry: URL, realm: URL): boolean {
  return realm.protocol === 'https:' || (realm.protocol === 'http:' && registry.protocol === 'http:');
}

function nameOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '');
}

/** Undefined for addresses and single names: only the very host is the host. */
function registrableDomain(name: string): string | undefined {
  const labels = name.split('.');
  if (name.startsWith('[') || /^\d+$/.test(labels.at(-1) ?? '')) return undefined;
  const shared = labels.slice(-2).join('.');
  const underCountry = /^[a-z]{2}$/.test(labels.at(-1) ?? '') && (labels.at(-2) ?? '').length <= 3;
  // A shared suffix has deeper shared levels too (`s3.eu-west-1.amazonaws.com`): nobody is related under those.
  if (SHARED_SUFFIXES.has(shared)) return undefined;
  const needed = underCountry ? 3 : 2;
  return labels.length < needed ? undefined : labels.slice(-needed).join('.');
}
