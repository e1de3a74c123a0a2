/**
 * Deletes a tag of the built-in registry, for every door alike: immutable tags are refused, garbage
 * collection knows of it, and the index follows.
 */
import type { WriteLock } from '../garbage/write-lock.ts';
import type { IndexKeeper } from './index-keeper.ts';

export interface TagRemovalPorts {
  immutableTags: {
    /** @throws conflict `TAG_IMMUTABLE` */
    removingTag<T>(repository: string, tag: string, work: () => Promise<T>): Promise<T>;
  };
  registryLock: Pick<WriteLock, 'write' | 'touches'>;
  keeper: Pick<IndexKeeper, 'removed'> | null;
}

/** @param remove asks the registry, or leaves the tag; the index follows what the registry has */
export type TagRemoval = (
  repository: string,
  tag: string,
  remove: () => Promise<void>,
) => Promise<void>;

export function createTagRemoval({
  immutableTags,
  registryLock,
  keeper,
}: TagRemovalPorts): TagRemoval {
  return async (repository, tag, remove) => {
    await immutableTags.removingTag(repository, tag, () =>
      registryLock.write(async () => {
        // A removal that fails restores the tag.
        await registryLock.touches(repository, [tag]);
        await remove();
      }),
    );
    await keeper?.removed({ repository, reference: tag });
  };
}
