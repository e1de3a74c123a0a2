/** What people call an image and a destination of a review request. */
import type { Review } from '@portcullis/contract';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { tagSuffix } from '../staging/tag-suffix.ts';

/** Without the registry: `library/nginx:1.27`. */
export function imageName({ repository, tag }: Review['image']): string {
  return `${repository}${tagSuffix(tag)}`;
}

export function sourceName({ host, registry_id, repository, tag }: Review['image']): string {
  return `${shownPlace(host, registry_id)}/${repository}${tagSuffix(tag)}`;
}

/** The folder, or the other registry with the repository. */
export function destinationName({ folder, host, repository }: Review['destination']): string {
  return folder ?? `${host}/${repository}`;
}

export function destinationReference({ host, repository, tag }: Review['destination']): string {
  return `${host}/${repository}:${tag}`;
}
