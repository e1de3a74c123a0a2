/** A repository as an entry of a list: within a registry its name is also its id. */
import type { ImageRepository } from '@portcullis/contract';
import type { ListEntry } from '../../../kit/selection/entry.ts';

export function entryOfRepository(repository: ImageRepository): ImageRepository & ListEntry {
  return { ...repository, id: repository.name };
}
