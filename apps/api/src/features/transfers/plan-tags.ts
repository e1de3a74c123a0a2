/** What refuses the push of a plan's image to its tag, as things are now. */
import { type AppError, isAppError } from '@portcullis/errors';
import type { ImmutableTags, TagWrite } from '@portcullis/gate';

/** The refusal of the push; null where the tag may be written. */
export type TagRefusal = (repository: string, write: TagWrite) => Promise<AppError | null>;

export function createTagRefusal({ assertMoves }: Pick<ImmutableTags, 'assertMoves'>): TagRefusal {
  return async (repository, write) => {
    try {
      await assertMoves(repository, write);
      return null;
    } catch (error) {
      if (isAppError(error) && error.code === 'TAG_IMMUTABLE') return error;
      throw error;
    }
  };
}
