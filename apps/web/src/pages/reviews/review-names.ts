/** What people call an image and a destination of a review request. */
import type { CurrentUser, Review } from '@portcullis/contract';
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

export function destinationReference({
  host,
  registry_id,
  repository,
  tag,
}: Review['destination']): string {
  return shownPlace(`${host}/${repository}:${tag}`, registry_id);
}

/** Whether the image was asked about in the built-in registry, without a job. */
export function isOfRegistry({ job_id, image }: Pick<Review, 'job_id' | 'image'>): boolean {
  return job_id === null && image.registry_id === LOCAL_REGISTRY_ID;
}

type Viewer = Pick<CurrentUser, 'id' | 'is_admin'>;

/**
 * Where the image is shown: its job, or its tag; null once the job was removed, and to those who
 * don't see the job.
 */
export function subjectPath(
  review: Pick<Review, 'job_id' | 'image' | 'requested_by'>,
  { id, is_admin: isAdmin }: Viewer,
): string | null {
  const { job_id: job, image, requested_by } = review;
  if (job !== null) return isAdmin || requested_by.id === id ? `/staging/${job}` : null;
  const { repository, tag } = image;
  if (!isOfRegistry(review)) return null;
  return repositoryPath({ registryId: LOCAL_REGISTRY_ID, repository }, tag);
}
