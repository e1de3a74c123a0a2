/** A repository in a registry, and the URLs of its pages. */
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';

export interface RepositoryLocation {
  registryId: string;
  repository: string;
}

export function listPath(registryId: string): string {
  return registryId === LOCAL_REGISTRY_ID ? '/images' : `/images/${registryId}`;
}

/** The name of a repository among the rows of all lists. */
export function rowOfRepository({ registryId, repository }: RepositoryLocation): string {
  return `${registryId}/${repository}`;
}

/** The tree, expanded down to a path. */
export function treePath(segments: readonly string[], folder: string): string {
  const above = folder === ROOT_FOLDER ? [ROOT_FOLDER] : [];
  const paths = segments.map((_, depth) => segments.slice(0, depth + 1).join('/'));
  return `/images?${new URLSearchParams([...above, ...paths].map((path) => ['open', path]))}`;
}

export function repositoryPath(
  { registryId, repository }: RepositoryLocation,
  tag?: string,
): string {
  const search = tag === undefined ? '' : `?${new URLSearchParams({ tag })}`;
  return `/images/${registryId}/${repository}${search}`;
}

/** The transfer form, with this repository as the source. */
export function transferPath({ registryId, repository }: RepositoryLocation, tag?: string): string {
  const image = tag === undefined ? repository : `${repository}:${tag}`;
  return `/transfers/new?${new URLSearchParams({ from: registryId, image })}`;
}

/** `team/deep/app` as `team/deep/` and `app`. */
export function splitName(repository: string): [prefix: string, name: string] {
  const cut = repository.lastIndexOf('/') + 1;
  return [repository.slice(0, cut), repository.slice(cut)];
}
