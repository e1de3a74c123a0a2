/** Where in which registry the reader is; the address says it, so that it can be sent to a colleague. */
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';

export interface RepositoryLocation {
  registryId: string;
  repository: string;
}

export function listPath(registryId: string): string {
  return registryId === LOCAL_REGISTRY_ID ? '/images' : `/images/${registryId}`;
}

/** To the tree, open down to a path. */
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

/** To the page that builds transfers, with this as its source. */
export function transferPath({ registryId, repository }: RepositoryLocation, tag?: string): string {
  const image = tag === undefined ? repository : `${repository}:${tag}`;
  return `/transfers/new?${new URLSearchParams({ from: registryId, image })}`;
}

/** `team/deep/app` as what leads there and the name itself. */
export function splitName(repository: string): [prefix: string, name: string] {
  const cut = repository.lastIndexOf('/') + 1;
  return [repository.slice(0, cut), repository.slice(cut)];
}
