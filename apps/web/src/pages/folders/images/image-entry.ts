/** The images of a folder as a list of entries. */
import type { FolderImage } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useCallback } from 'react';
import { defineNumberedList, useNumberedList } from '../../../kit/list/use-numbered-list.ts';
import type { ListEntry } from '../../../kit/selection/entry.ts';
import { FOLDER_FILTER } from './image-filter.ts';

export interface ImageEntry extends FolderImage, ListEntry {}

const IMAGES = defineNumberedList({
  operation: 'folders.listFolderImages',
  filter: FOLDER_FILTER,
  pageSize: 25,
  refresh: 30_000,
  steady: 'repository',
});

/** @param enabled false for a folder without images */
export function useImageList(folder: string, enabled: boolean) {
  const nameOf = useCallback((image: FolderImage) => imageName(folder, image), [folder]);
  const params = { folder_id: folder };
  return useNumberedList(IMAGES, { params, enabled: () => enabled, keyOf: imageKey, nameOf });
}
export type ImageList = ReturnType<typeof useImageList>;

const imageKey = ({ repository, digest }: FolderImage): string => `${repository}@${digest}`;

/** Within its folder. */
function imageName(folder: string, { repository, tags: [tag] }: FolderImage): string {
  const path = folder === ROOT_FOLDER ? repository : repository.slice(folder.length + 1);
  return tag === undefined ? path : `${path}:${tag}`;
}
