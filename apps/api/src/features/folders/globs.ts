/** Checks lists of globs of tags, as the settings of a folder have them. */
import { matchFault } from '@portcullis/domain/tag-selection';
import { fieldInvalid } from '../../http/problem.ts';

/**
 * @param field the path of the list
 * @throws invalid `PATTERN_INVALID` with the path of the glob
 */
export function assertGlobs(field: string, globs: readonly string[]): void {
  for (const [index, glob] of globs.entries()) {
    const fault = matchFault({ glob });
    const path = `${field}.${index}`;
    if (fault) throw fieldInvalid(path, 'PATTERN_INVALID', fault.message, fault.params);
  }
}

/** @throws as `assertGlobs` */
export function assertRuleGlobs({ keep }: { keep: readonly string[] }): void {
  assertGlobs('retention.keep', keep);
}
