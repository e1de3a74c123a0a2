/** Repositories one after another: one whose tags can't be removed stops no other. */
import { isTransient } from '@portcullis/errors';
import { isCollecting } from '@portcullis/local-registry';
import type { RemoveExpiredPorts } from './remove-expired.ts';

/** So many in a row are not single ones: the registry removes nothing. */
const MOST_IN_A_ROW = 3;

/** @returns what calls `remove` for a repository: null where it failed, and others may not */
export function oneByOne({ answers, log }: Pick<RemoveExpiredPorts, 'answers' | 'log'>) {
  let failures = 0;
  return async (repository: string, remove: () => Promise<number>): Promise<number | null> => {
    try {
      const kept = await remove();
      failures = 0;
      return kept;
    } catch (err) {
      failures += 1;
      const isItsOwn = isTransient(err) && !isCollecting(err) && failures < MOST_IN_A_ROW;
      if (!isItsOwn || !(await answers())) throw err;
      log.warn({ err, repository }, 'the tags of a repository could not be removed; going on');
      return null;
    }
  };
}
