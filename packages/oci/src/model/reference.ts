/**
 * Grammar of repository names, tags, digests and registry hosts: OCI distribution spec § Pulling
 * manifests, and for hosts the `distribution/reference` grammar of Docker.
 */
import { invalid } from '../oci-error.ts';
import { type Digest, isDigest, parseDigest } from './digest.ts';

export const DOCKER_HUB_HOST = 'registry-1.docker.io';
/** Names in use for Docker Hub. The registry API is served by `DOCKER_HUB_HOST` only. */
const DOCKER_HUB_ALIASES = new Set([
  DOCKER_HUB_HOST,
  'docker.io',
  'index.docker.io',
  'hub.docker.com',
  'registry.hub.docker.com',
]);

const MAX_REPOSITORY = 255;
const REPOSITORY =
  /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*$/;
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const HOST =
  /^(?<hostname>\[[0-9a-fA-F:.]{2,45}\]|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.?)(?::(?<port>\d{1,5}))?$/i;

export function isRepository(name: string): boolean {
  return name.length <= MAX_REPOSITORY && REPOSITORY.test(name);
}

/** @throws invalid `NAME_INVALID` */
export function parseRepository(name: string): string {
  if (!isRepository(name)) {
    throw invalid(
      'NAME_INVALID',
      'a repository is lower-case letters, digits and single separators (. _ __ -) between slashes, 255 at most',
    );
  }
  return name;
}

export function isTag(text: string): boolean {
  return TAG.test(text);
}

/** @throws invalid `TAG_INVALID` */
export function parseTag(text: string): string {
  if (!isTag(text)) {
    throw invalid(
      'TAG_INVALID',
      'a tag is 1 to 128 letters, digits, dots, dashes and underscores, and starts with a letter, digit or underscore',
    );
  }
  return text;
}

/**
 * Checks a reference, which is a tag or a digest; `isDigest` distinguishes them.
 * @throws invalid `TAG_INVALID` or `DIGEST_INVALID`
 */
export function parseReference(text: string): string {
  return text.includes(':') ? parseDigest(text) : parseTag(text);
}

export interface Host {
  /** Lower case, without a trailing dot; IPv4 in dotted form, IPv6 compressed and in brackets. */
  hostname: string;
  port: number | undefined;
}

/**
 * Parses `host` or `host:port`, without a scheme and a path.
 * @throws invalid `HOST_INVALID`
 */
export function parseHost(text: string): Host {
  const match = text.length > 261 ? null : HOST.exec(text);
  const { hostname, port } = match?.groups ?? {};
  if (hostname === undefined) throw hostInvalid();
  return {
    hostname: canonicalHostname(hostname),
    port: port === undefined ? undefined : parsePort(port),
  };
}

export function formatHost(host: Host): string {
  return host.port === undefined ? host.hostname : `${host.hostname}:${host.port}`;
}

/**
 * The host that serves the registry API: the other names of Docker Hub become `DOCKER_HUB_HOST`.
 * @throws invalid `HOST_INVALID`
 */
export function registryHost(text: string): string {
  const host = parseHost(text);
  const atDefaultPort = host.port === undefined || host.port === 443;
  return atDefaultPort && DOCKER_HUB_ALIASES.has(host.hostname)
    ? DOCKER_HUB_HOST
    : formatHost(host);
}

/** On Docker Hub, and only there, `nginx` is short for `library/nginx`. */
export function dockerHubRepository(image: string): string {
  return image.includes('/') ? image : `library/${image}`;
}

export interface ImagePath {
  repository: string;
  tag: string | undefined;
  digest: Digest | undefined;
}

/**
 * Parses `repository[:tag][@digest]`, without a host.
 * @throws invalid `NAME_INVALID`, `TAG_INVALID` or `DIGEST_INVALID`
 */
export function parseImageName(text: string): ImagePath {
  const [named = '', digest, ...rest] = text.split('@');
  if (rest.length > 0) throw invalid('DIGEST_INVALID', 'an image has one @digest at most');
  const [repository = '', tag, ...more] = named.split(':');
  if (more.length > 0) throw invalid('TAG_INVALID', 'an image has one :tag at most');
  return {
    repository: parseRepository(repository),
    tag: tag === undefined ? undefined : parseTag(tag),
    digest: digest === undefined ? undefined : parseDigest(digest),
  };
}

/** An image as people write it, with its registry. */
export interface Image {
  /** `host[:port]` of the registry API. */
  host: string;
  repository: string;
  /** The digest if given, else the tag, else `latest`. */
  reference: string;
}

/**
 * Parses `[host/]repository[:tag][@digest]` as Docker does: the first component is a host if it
 * contains a dot or a colon or is `localhost`; otherwise the image is on Docker Hub.
 * @throws invalid `HOST_INVALID`, `NAME_INVALID`, `TAG_INVALID` or `DIGEST_INVALID`
 */
export function parseImage(text: string): Image {
  const [first = '', ...rest] = text.split('/');
  const hasHost = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const host = registryHost(hasHost ? first : DOCKER_HUB_HOST);
  const name = parseImageName(hasHost ? rest.join('/') : text);
  const { repository } = name;
  const isOnHub = host === DOCKER_HUB_HOST;
  return {
    host,
    repository: isOnHub ? dockerHubRepository(repository) : repository,
    reference: referenceOf(name),
  };
}

/** The reference to resolve: the digest if given, else the tag, else `latest`, as in Docker. */
export function referenceOf(image: ImagePath): string {
  return image.digest ?? image.tag ?? 'latest';
}

/** `name:tag` for a tag, `name@digest` for a digest. */
export function formatImage(name: string, reference: string): string {
  return isDigest(reference) ? `${name}@${reference}` : `${name}:${reference}`;
}

/** The URL parser normalizes every spelling of an address (`0x7f.1`, `127.1`, `::ffff:7f00:1`). */
function canonicalHostname(hostname: string): string {
  const url = URL.parse(`http://${hostname.replace(/\.$/, '')}/`);
  if (!url || url.hostname === '') throw hostInvalid();
  return url.hostname;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (port < 1 || port > 65_535) throw hostInvalid();
  return port;
}

function hostInvalid() {
  return invalid(
    'HOST_INVALID',
    'a registry host is a name or address with an optional :port, without a scheme or a path',
  );
}
