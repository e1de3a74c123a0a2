/** The digest of a tag, for pages that say what a push or a new tag would replace. */
import { isAppError } from '@portcullis/errors';
import type { Digest } from '@portcullis/oci';
import { patienceOf } from './read-image.ts';
import { noImage, type RegistryScope, type Repositories } from './repositories.ts';

export interface WantedTag {
  repository: string;
  tag: string;
}

export function createFindTag({ open }: Pick<Repositories, 'open'>) {
  /** Null where the repository or the tag does not exist. */
  return async function findTag(
    scope: RegistryScope,
    { repository, tag }: WantedTag,
  ): Promise<Digest | null> {
    const opened = await open(scope, repository, 'pull');
    const signal = patienceOf();
    const missing = noImage(repository, tag);
    try {
      const { digest } = await opened.ask(missing, (there) => there.resolve(tag, { signal }));
      return digest;
    } catch (error) {
      if (isAppError(error) && error.code === 'IMAGE_UNKNOWN') return null;
      throw error;
    }
  };
}
