/** All repositories that match a search, also those that are on other pages of the list. */
import type { ImageRepository } from '@portcullis/contract';
import { call } from '../../../api/api.ts';

/** As many as a page may have. */
const LARGEST = 200;

export async function allRepositories(
  registryId: string,
  search: string,
): Promise<ImageRepository[]> {
  // One that is pushed meanwhile moves others to the next page.
  const all = new Map<string, ImageRepository>();
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const { items, total_pages } = await call('images.listImages', {
      params: { registry_id: registryId },
      query: { search, page, page_size: LARGEST },
    });
    for (const each of items) all.set(each.name, each);
    pages = total_pages;
  }
  return [...all.values()];
}
