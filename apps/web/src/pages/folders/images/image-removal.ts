/** What became of the deletion of images by their tags. */
import type { AnswerFor } from '../../../api/client.ts';
import { type BulkResult, codeOf, reasonsOf } from '../../../kit/action/bulk-result.ts';
import { entryKey, type ListEntry } from '../../../kit/selection/entry.ts';

type Removal = PromiseSettledResult<Pick<AnswerFor<'images.removeImageTags'>, 'reasons'>>;

/**
 * An image that keeps a tag is not deleted, and is named with each reason.
 * @param images one for each result: an image with many tags has several
 */
export function imageRemovalOf(
  images: readonly ListEntry[],
  results: readonly Removal[],
): BulkResult {
  const each = images.map((image, at) => ({ image, result: results[at] }));
  const outcomes = [...Map.groupBy(each, ({ image }) => entryKey(image)).values()].map((steps) => ({
    name: steps[0]?.image.name ?? '',
    codes: new Set(steps.flatMap(({ result }) => codesOf(result))),
  }));
  const left = outcomes.filter(({ codes }) => codes.size > 0);
  const kept = left.flatMap(({ name, codes }) => [...codes].map((code) => ({ code, name })));
  return {
    done: outcomes.length - left.length,
    refused: 0,
    failed: left.length,
    reasons: reasonsOf(kept),
  };
}

function codesOf(result: Removal | undefined): string[] {
  if (result?.status === 'rejected') return [codeOf(result.reason)];
  return result?.value.reasons.map(({ code }) => code) ?? [];
}
