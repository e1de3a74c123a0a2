/** Package URLs (purl specification), as far as OpenVEX products and subcomponents need them. */
import { ownName } from '../location/location.ts';

export interface PackageUrl {
  type: string;
  namespace: string | null;
  name: string;
  version: string | null;
  qualifiers: ReadonlyMap<string, string>;
}

const MOST_CHARACTERS = 2_048;

/** Null for other text. A version with a slash is refused: its end is ambiguous. */
export function parsePackageUrl(text: string): PackageUrl | null {
  if (text.length > MOST_CHARACTERS || !/^pkg:/i.test(text)) return null;
  const [withoutPath = ''] = text.slice(4).split('#', 1);
  const [path = '', query = ''] = splitOnce(withoutPath, '?');
  const at = path.lastIndexOf('@');
  const segments = (at < 0 ? path : path.slice(0, at)).split('/').filter((part) => part !== '');
  const after = at < 0 ? null : path.slice(at + 1);
  if (after === '' || after?.includes('/')) return null;
  const version = after === null ? null : decode(after);
  const names = segments.map(decode).filter((part) => part !== null);
  const [type, ...rest] = names;
  const name = rest.at(-1);
  if (!type || !name || names.length < segments.length) return null;
  if (after !== null && version === null) return null;
  const qualifiers = qualifiersIn(query);
  if (!qualifiers) return null;
  const namespace = rest.slice(0, -1).join('/');
  return { type: type.toLowerCase(), namespace: namespace || null, name, version, qualifiers };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function qualifiersIn(query: string): Map<string, string> | null {
  const found = new Map<string, string>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [key = '', value = ''] = splitOnce(pair, '=');
    const text = decode(value);
    // A repeated key means one thing to one reader and another thing to the next.
    if (text === null || found.has(key.toLowerCase())) return null;
    found.set(key.toLowerCase(), text);
  }
  return found;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Types whose packages scanners name with their namespace. */
const NAMESPACED: Readonly<Record<string, string>> = {
  npm: '/',
  golang: '/',
  composer: '/',
  swift: '/',
  github: '/',
  maven: ':',
};

/** The package as reports name it: `@angular/core`, `org.apache:log4j`, `openssl`. */
export function packageNameOf({ type, namespace, name }: PackageUrl): string {
  const separator = NAMESPACED[type];
  return namespace === null || separator === undefined ? name : `${namespace}${separator}${name}`;
}

/** The version as reports write it, in which an epoch of Debian or RPM precedes a colon. */
export function packageVersionOf({ version, qualifiers }: PackageUrl): string | null {
  const epoch = qualifiers.get('epoch');
  return version !== null && epoch !== undefined ? `${epoch}:${version}` : version;
}

export interface ImageLocation {
  host: string;
  repository: string;
  digest: string;
}

/** `pkg:oci/app@sha256%3A…?repository_url=host%2Fteam%2Fapp` */
export function imagePackageUrl({ host, repository, digest }: ImageLocation): string {
  const url = encodeURIComponent(`${host}/${repository}`);
  return `pkg:oci/${ownName(repository)}@${encodeURIComponent(digest)}?repository_url=${url}`;
}
