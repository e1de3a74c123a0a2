/** What became of the deletion of several repositories. */
import type { RepositoryRemoval } from '@portcullis/contract';
import { codeOf } from '../../../kit/action/bulk-result.ts';

/** A repository of which something remains, once for each reason. */
export interface KeptRepository {
  name: string;
  /** How many tags were kept; null where the whole request was refused. */
  tags: number | null;
  code: string;
}

export interface RemovalResult {
  /** Repositories that were deleted with all their tags. */
  done: number;
  /** Repositories of which something remains. */
  left: number;
  kept: KeptRepository[];
}

/** @param names in the order of their results */
export function removalResultOf(
  names: readonly string[],
  results: readonly PromiseSettledResult<RepositoryRemoval>[],
): RemovalResult {
  const each = results.map((result, at) => keptBy(names[at] ?? '', result));
  const left = each.filter((kept) => kept.length > 0);
  return { done: each.length - left.length, left: left.length, kept: left.flat() };
}

function keptBy(name: string, result: PromiseSettledResult<RepositoryRemoval>): KeptRepository[] {
  if (result.status === 'rejected') return [{ name, tags: null, code: codeOf(result.reason) }];
  const byCode = Map.groupBy(result.value.failed, ({ code }) => code);
  return [...byCode].map(([code, tags]) => ({ name, tags: tags.length, code }));
}
