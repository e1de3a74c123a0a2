/** Deletes many tags of a repository; one that fails leaves the others deleted. */
import { isAppError } from '@portcullis/errors';
import { createTally, type TallyCounts } from '../../../http/bulk/tally.ts';
import type { RegistryScope, Repositories } from '../repositories.ts';

interface RemoveTagsPorts {
  repositories: Repositories;
  removeTag(scope: RegistryScope, repository: string, tag: string): Promise<void>;
}

export function createRemoveTags({ repositories, removeTag }: RemoveTagsPorts) {
  /** @throws what refuses all of them: a right, or a registry that does not answer */
  return async (
    scope: RegistryScope,
    repository: string,
    tags: readonly string[],
  ): Promise<TallyCounts> => {
    await repositories.open(scope, repository, 'push', 'delete');
    const tally = createTally();
    // One after another: the removal of a tag restores others of its digest.
    for (const tag of new Set(tags)) {
      const fault = await faultOf(removeTag(scope, repository, tag));
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
