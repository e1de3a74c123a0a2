/** What became of the deletion of several repositories or images. */
import type { RepositoryRemoval } from '@portcullis/contract';
import type { AnswerFor } from '../../../api/client.ts';
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
  return resultOf(names, results, ({ failed }) => {
    const byCode = Map.groupBy(failed, ({ code }) => code);
    return [...byCode].map(([code, tags]) => ({ code, count: tags.length }));
  });
}

/** The same of images, of which each was deleted by its tags. */
export function tagRemovalResultOf(
  names: readonly string[],
  results: readonly PromiseSettledResult<AnswerFor<'images.removeImageTags'>>[],
): RemovalResult {
  return resultOf(names, results, ({ reasons }) => reasons);
}

interface KeptTags {
  code: string;
  count: number;
}

function resultOf<T>(
  names: readonly string[],
  results: readonly PromiseSettledResult<T>[],
  keptTags: (removal: T) => readonly KeptTags[],
): RemovalResult {
  const each = results.map((result, at): KeptRepository[] => {
    const name = names[at] ?? '';
    if (result.status === 'rejected') return [{ name, tags: null, code: codeOf(result.reason) }];
    return keptTags(result.value).map(({ code, count }) => ({ name, tags: count, code }));
  });
  const left = each.filter((kept) => kept.length > 0);
  return { done: each.length - left.length, left: left.length, kept: left.flat() };
}
