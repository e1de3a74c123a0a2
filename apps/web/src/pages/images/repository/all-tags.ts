/** All tags of a repository that match a filter, also those that no page of the list has loaded. */
import type { ImageTag } from '@portcullis/contract';
import { page } from '../../../api/api.ts';
import { everyPage } from '../../../api/every-page.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { type TagConditions, tagQuery } from './repository-view.ts';

export function allTags(
  { registryId, repository }: RepositoryLocation,
  conditions: TagConditions,
): Promise<ImageTag[]> {
  return everyPage((query) =>
    page('images.listImageTags', {
      params: { registry_id: registryId },
      query: { repository, ...tagQuery(conditions), ...query },
    }),
  );
}
