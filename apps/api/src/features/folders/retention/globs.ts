/** Checks the globs of a retention rule. */
import type { RetentionRule } from '@portcullis/domain/retention';
import { matchFault } from '@portcullis/domain/tag-selection';
import { fieldInvalid } from '../../../http/problem.ts';

/** @throws invalid `PATTERN_INVALID` with the field */
export function assertGlobs({ keep }: Pick<RetentionRule, 'keep'>): void {
  for (const [index, glob] of keep.entries()) {
    const fault = matchFault({ glob });
    const path = `retention.keep.${index}`;
    if (fault) throw fieldInvalid(path, 'PATTERN_INVALID', fault.message, fault.params);
  }
}
