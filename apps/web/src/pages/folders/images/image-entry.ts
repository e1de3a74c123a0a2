/** The images of a folder as entries of a list, and all that match its filter. */
import type { FolderImage } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { call } from '../../../api/api.ts';
import { everyNumberedPage } from '../../../api/every-page.ts';
import type { ListEntry } from '../../../kit/selection/entry.ts';
import type { queryOf } from '../folder-location.ts';

export interface ImageEntry extends FolderImage, ListEntry {}

export function entryOf(folder: string, image: FolderImage): ImageEntry {
  const { repository, tags } = image;
  const [tag] = tags;
  const path = folder === ROOT_FOLDER ? repository : repository.slice(folder.length + 1);
  return {
    ...image,
    id: imageKey(image),
    name: tag === undefined ? path : `${path}:${tag}`,
  };
}

const imageKey = ({ repository, digest }: FolderImage): string => `${repository}@${digest}`;

/**
 * Also those that are on other pages of the list. By their repositories: in an order that changes
 * meanwhile, an image could move to a page that was loaded before.
 */
export async function allImages(
  folder: string,
  query: ReturnType<typeof queryOf>,
): Promise<ImageEntry[]> {
  const images = await everyNumberedPage<FolderImage>(imageKey, (page) =>
    call('folders.listFolderImages', {
      params: { folder_id: folder },
      query: { ...query, sort: 'repository', ...page },
    }),
  );
  return images.map((image) => entryOf(folder, image));
}
