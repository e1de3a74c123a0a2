/** The address of a comparison: it names both images, so it can be shared. */
import type { RepositoryLocation } from '../repository-location.ts';

export interface ImagePair {
  /** Of the image before. */
  repository: string;
  from: string;
  /** Of the image after. */
  toRepository: string;
  to: string;
  /** Empty: the api chooses. */
  platform: string;
}

export function readPair(query: URLSearchParams): ImagePair {
  const repository = query.get('repository') ?? '';
  return {
    repository,
    from: query.get('from') ?? '',
    toRepository: query.get('to_repository') ?? repository,
    to: query.get('to') ?? '',
    platform: query.get('platform') ?? '',
  };
}

export function writePair(pair: ImagePair): Record<string, string> {
  const { repository, from, toRepository, to, platform } = pair;
  return {
    repository,
    ...(from !== '' && { from }),
    ...(toRepository !== repository && { to_repository: toRepository }),
    ...(to !== '' && { to }),
    ...(platform !== '' && { platform }),
  };
}

/** No repository is named `-`. */
export function comparePath({ registryId, repository }: RepositoryLocation, to: string): string {
  return `/images/${registryId}/-/compare?${new URLSearchParams({ repository, to })}`;
}

export function nameOfImage(repository: string, reference: string): string {
  return `${repository}${reference.includes(':') ? '@' : ':'}${reference}`;
}
