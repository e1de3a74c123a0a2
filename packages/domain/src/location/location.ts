/**
 * Repository paths of pushes, and the check whether a host is our own. The path that is checked is
 * the path that is written.
 */
import { ROOT_FOLDER } from '../access/access.ts';

const PATH_SEGMENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/**
 * Repository of a push to the local registry. The folder is added once; none or `__root__` adds
 * nothing.
 */
export function localRepository(repository: string, folder: string | null | undefined): string {
  if (!folder || folder === ROOT_FOLDER || repository.startsWith(`${folder}/`)) return repository;
  return `${folder}/${repository}`;
}

/** The name at the destination unless one is chosen: that of the image, without its path. */
export function proposedTarget({ image, tag }: { image: string; tag: string }): {
  repository: string;
  tag: string;
} {
  return { repository: ownName(image), tag: tag.includes(':') ? 'latest' : tag };
}

/** Logins that clouds and forges fix for tokens and keys: they name no account. */
const FIXED_LOGINS = new Set([
  '00000000-0000-0000-0000-000000000000',
  'gitlab-ci-token',
  'iamapikey',
  'iambearer',
  'nologin',
  'oauth2',
  'oauth2accesstoken',
  'x-access-token',
]);

/** The `push_namespace` of a registry whose paths stay as they are requested. */
export const NO_NAMESPACE = '/';

/**
 * Repository of a push to another registry. The namespace of the registry is put before the path,
 * in place of the source namespace. Without one the account's username replaces the source
 * namespace, if it names an account and can be a path segment (`AWS`, `_json_key`, `robot$x` and
 * `<token>` can't).
 */
export function externalRepository(
  repository: string,
  username: string | null | undefined,
  namespace: string | null = null,
): string {
  const slash = repository.indexOf('/');
  if (namespace === NO_NAMESPACE) return repository;
  if (namespace !== null)
    return repository.startsWith(`${namespace}/`)
      ? repository
      : `${namespace}/${repository.slice(slash + 1)}`;
  if (slash < 0 || !username || !isNamespace(username)) return repository;
  return `${username}${repository.slice(slash)}`;
}

function isNamespace(username: string): boolean {
  return PATH_SEGMENT.test(username) && !FIXED_LOGINS.has(username);
}

export interface HostPort {
  /** Lower case, without trailing dot and brackets; addresses in their shortest form. */
  host: string;
  port: number | null;
}

/**
 * Normalizes `host[:port]`: lower case, no trailing dot; decimal, octal and hexadecimal addresses,
 * IPv4-mapped IPv6 and all loopback names become one form. Null for anything but a host.
 */
export function normalizeHost(text: string): HostPort | null {
  if (/[\s/\\?#@]/.test(text) || !URL.canParse(`http://${text}`)) return null;
  const bare = new URL(`http://${text}`).hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  // The URL parser drops default ports, so the port is read from the text.
  const port = /:(\d{1,5})$/.exec(text)?.[1];
  return bare === ''
    ? null
    : { host: foldAddress(bare), port: port === undefined ? null : Number(port) };
}

/** Normalizes a resolved address or a host name: every loopback becomes `localhost`. */
export function foldAddress(address: string): string {
  const plain = unmapped(address.toLowerCase());
  return isLoopback(plain) ? 'localhost' : plain;
}

/** The IPv4 address in `::ffff:a.b.c.d` and in the deprecated `::a.b.c.d`. */
function unmapped(address: string): string {
  const dotted = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (dotted?.[1]) return dotted[1];
  const hex = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (!hex?.[1] || !hex[2]) return address;
  const [high, low] = [Number.parseInt(hex[1], 16), Number.parseInt(hex[2], 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Connections to the unspecified address reach this machine, too. */
function isLoopback(address: string): boolean {
  if (address === 'localhost' || address.endsWith('.localhost')) return true;
  return (
    address === '::1' || address === '::' || address.startsWith('127.') || address === '0.0.0.0'
  );
}

/**
 * Whether a host, as typed or as resolved, is one of ours. A missing port matches both web ports.
 */
export function isOwnEndpoint(candidate: HostPort, own: HostPort[]): boolean {
  return own.some(
    (ours) =>
      ours.host === candidate.host &&
      portsOf(ours).some((port) => portsOf(candidate).includes(port)),
  );
}

function portsOf(endpoint: HostPort): number[] {
  return endpoint.port === null ? [443, 80] : [endpoint.port];
}

/** Id of the hidden saved registry that represents the built-in registry. */
export const LOCAL_REGISTRY_ID = '__local__';

/** The last part of a repository's path: `app` of `team/app`. */
export const ownName = (repository: string): string =>
  repository.slice(repository.lastIndexOf('/') + 1);
