/** The upstream of a folder: where what it lacks is brought in from, and what of it may be. */
import { DOCKER_HUB_HOST, dockerHubRepository } from '@portcullis/oci';
import { matcher } from '../transfer/tag-selection.ts';

export interface MirrorSettings {
  /** Null: Docker Hub, without a login. */
  registryId: string | null;
  /** What is put before a path at the upstream; empty for none. */
  prefix: string;
  /** Globs of the repositories that may be brought in, as they are below the folder. */
  allow: readonly string[];
  /** Which platforms of a tag are brought in, as `os/architecture[/variant]`; empty: all. */
  platforms: readonly string[];
  /** How long an answer of the upstream about a tag counts. */
  checkMinutes: number;
  /** How long a tag stays that no account pulls. */
  keepDays: number;
}

/** A mirror with its place here and its upstream. */
export interface Mirror extends MirrorSettings {
  folderId: string;
  folder: string;
  /** That of the saved registry, or Docker Hub's. */
  host: string;
  /** Of the saved registry; null without one. */
  registryName: string | null;
}

/** By the names of their folders. */
export function mirrorsByFolder(mirrors: readonly Mirror[]): ReadonlyMap<string, Mirror> {
  return new Map(mirrors.map((mirror) => [mirror.folder, mirror]));
}

/** What metrics call the upstream: there are as many as saved registries that are mirrored. */
export function registryLabel({ registryName }: Pick<Mirror, 'registryName'>): string {
  return registryName ?? 'docker_hub';
}

/** The host as clients write it. */
export function writtenHost({ host }: Pick<Mirror, 'host'>): string {
  return host === DOCKER_HUB_HOST ? 'docker.io' : host;
}

/** @param saved the host of the saved registry; null without one */
export function hostOfMirror(saved: string | null): string {
  return saved ?? DOCKER_HUB_HOST;
}

/** Repositories have up to 255 characters. */
const LONGEST_REPOSITORY = 255;

/** What is below the folder: `library/nginx` of `docker.io/library/nginx`. */
function pathInMirror({ folder }: Pick<Mirror, 'folder'>, repository: string): string {
  return repository.slice(folder.length + 1);
}

/** The repository at the upstream. Docker Hub's official images have the namespace `library`. */
export function upstreamRepository(
  mirror: Pick<Mirror, 'folder' | 'host' | 'prefix'>,
  repository: string,
): string {
  const path = pathInMirror(mirror, repository);
  const whole = mirror.prefix === '' ? path : `${mirror.prefix}/${path}`;
  return mirror.host === DOCKER_HUB_HOST ? dockerHubRepository(whole) : whole;
}

/**
 * Whether the repository may be brought in. On Docker Hub `nginx` and `library/nginx` are one.
 * @throws Error for an invalid glob
 */
export function mayBeMirrored(
  mirror: Pick<Mirror, 'folder' | 'host' | 'prefix' | 'allow'>,
  repository: string,
): boolean {
  const path = pathInMirror(mirror, repository);
  const isOnHub = mirror.host === DOCKER_HUB_HOST && mirror.prefix === '';
  const names = isOnHub ? [path, dockerHubRepository(path)] : [path];
  return mirror.allow.some((glob) => {
    const matches = matcher({ glob }, LONGEST_REPOSITORY);
    return names.some(matches);
  });
}
