/** The images of a folder as entries of a list, and all that match its filter. */
import type { FolderImage } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { call } from '../../../api/api.ts';
import type { ListEntry } from '../../../kit/selection/entry.ts';
import type { FolderView } from '../folder-location.ts';

export interface ImageEntry extends FolderImage, ListEntry {}

export function entryOf(folder: string, image: FolderImage): ImageEntry {
  const { repository, digest, tags } = image;
  const [tag] = tags;
  const path = folder === ROOT_FOLDER ? repository : repository.slice(folder.length + 1);
  return {
    ...image,
    id: `${repository}@${digest}`,
    name: tag === undefined ? path : `${path}:${tag}`,
  };
}

/** The query of the API without its page. */
export function queryOf({ standing, q, sort }: Pick<FolderView, 'standing' | 'q' | 'sort'>) {
  const words = q.trim();
  return { sort, ...(standing !== null && { standing }), ...(words !== '' && { q: words }) };
}

/** As many as a page may have. */
const LARGEST = 200;

/**
 * Also those that are on other pages of the list. By their repositories: in an order that changes
 * meanwhile, an image could move to a page that was loaded before.
 */
export async function allImages(
  folder: string,
  query: ReturnType<typeof queryOf>,
): Promise<ImageEntry[]> {
  // One that is pushed meanwhile moves others to the next page.
  const all = new Map<string, ImageEntry>();
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const { items, total_pages } = await call('folders.listFolderImages', {
      params: { folder_id: folder },
      query: { ...query, sort: 'repository', page, page_size: LARGEST },
    });
    for (const each of items.map((image) => entryOf(folder, image))) all.set(each.id, each);
    pages = total_pages;
  }
  return [...all.values()];
}
