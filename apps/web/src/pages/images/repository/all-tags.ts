/** All tags of a repository that match a filter, also those that no page of the list has loaded. */
import type { ImageTag } from '@portcullis/contract';
import { page } from '../../../api/api.ts';
import type { RepositoryLocation } from '../repository-location.ts';

/** As many as a page may have. */
const LIMIT = 200;

export async function allTags(
  { registryId, repository }: RepositoryLocation,
  q: string,
): Promise<ImageTag[]> {
  const found: ImageTag[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await page('images.listImageTags', {
      params: { registry_id: registryId },
      query: { repository, q, limit: LIMIT, cursor },
    });
    found.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}
