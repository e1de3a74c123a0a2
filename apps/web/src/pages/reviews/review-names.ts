/** What people call an image and a destination of a review request. */
import type { Review } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { repositoryPath } from '../images/repository-location.ts';
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

/** Whether the image was asked about in the built-in registry, without a job. */
export function isOfRegistry({ job_id, image }: Pick<Review, 'job_id' | 'image'>): boolean {
  return job_id === null && image.registry_id === LOCAL_REGISTRY_ID;
}

/** Where the image is shown: its job, or its tag; null once the job was removed. */
export function subjectPath(review: Pick<Review, 'job_id' | 'image'>): string | null {
  const { job_id: job, image } = review;
  if (job !== null) return `/staging/${job}`;
  const { repository, tag } = image;
  if (!isOfRegistry(review)) return null;
  return repositoryPath({ registryId: LOCAL_REGISTRY_ID, repository }, tag);
}
