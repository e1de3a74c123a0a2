/** All repositories that match a search, also those that are on other pages of the list. */
import type { ImageRepository } from '@portcullis/contract';
import { call } from '../../../api/api.ts';
import { everyNumberedPage } from '../../../api/every-page.ts';

export function allRepositories(registryId: string, search: string): Promise<ImageRepository[]> {
  return everyNumberedPage(
    ({ name }) => name,
    (page) =>
      call('images.listImages', {
        params: { registry_id: registryId },
        query: { search, ...page },
      }),
  );
}
