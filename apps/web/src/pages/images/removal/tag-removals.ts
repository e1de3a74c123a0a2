/** The requests that delete tags of a repository. */
import { inSteps } from '../../../kit/action/bulk-steps.ts';
import type { RepositoryLocation } from '../repository-location.ts';

/** As many as one request may have. */
const MOST_TAGS = 500;

/** @param digest of the image that the tags have to lead to still; absent: of any */
export function tagRemovals(
  { registryId, repository }: RepositoryLocation,
  tags: readonly string[],
  digest?: string,
) {
  return inSteps(tags, MOST_TAGS).map((step) => ({
    params: { registry_id: registryId },
    query: { repository },
    body: { tags: step, ...(digest !== undefined && { digest }) },
  }));
}
