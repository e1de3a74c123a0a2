/** Deletes many tags of a repository; one that fails leaves the others deleted. */
import { isAppError } from '@portcullis/errors';
import { createTally, type TallyCounts } from '../../../http/bulk/tally.ts';
import type { ExpectedTag } from '../changes.ts';
import type { RegistryScope, Repositories } from '../repositories.ts';

interface RemoveTagsPorts {
  repositories: Repositories;
  removeTag(scope: RegistryScope, repository: string, tag: ExpectedTag): Promise<void>;
}

export interface DoomedTags {
  tags: readonly string[];
  /** Those that lead to another digest are refused; undefined: whatever they lead to. */
  digest: string | undefined;
}

export function createRemoveTags({ repositories, removeTag }: RemoveTagsPorts) {
  /** @throws what refuses all of them: a right, or a registry that does not answer */
  return async (
    scope: RegistryScope,
    repository: string,
    { tags, digest }: DoomedTags,
  ): Promise<TallyCounts> => {
    await repositories.open(scope, repository, 'push', 'delete');
    const tally = createTally();
    // One after another: the removal of a tag restores others of its digest.
    for (const tag of new Set(tags)) {
      const fault = await faultOf(removeTag(scope, repository, { tag, digest }));
      if (fault === null) tally.done(1);
      else if (fault.kind === 'unavailable') tally.fail(fault.code, [tag]);
      else tally.refuse(fault.code, [tag]);
    }
    return tally.counts();
  };
}

async function faultOf(work: Promise<void>) {
  try {
    await work;
    return null;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}
