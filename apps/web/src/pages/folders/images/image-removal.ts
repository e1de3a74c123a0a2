/** What became of the deletion of images by their tags. */
import type { AnswerFor } from '../../../api/client.ts';
import { type BulkResult, codeOf } from '../../../kit/action/bulk-result.ts';

type Removal = Pick<AnswerFor<'images.removeImageTags'>, 'reasons'>;

/**
 * An image that keeps a tag is not deleted, and is named with each reason.
 * @param names in the order of the results
 */
export function imageRemovalOf(
  names: readonly string[],
  results: readonly PromiseSettledResult<Removal>[],
): BulkResult {
  const kept = results.flatMap((result, at) =>
    codesOf(result).map((code) => ({ code, name: names[at] ?? '' })),
  );
  const left = results.filter((result) => codesOf(result).length > 0).length;
  return {
    done: results.length - left,
    refused: 0,
    failed: left,
    reasons: [...Map.groupBy(kept, ({ code }) => code)].map(([code, images]) => ({
      code,
      count: images.length,
      names: images.map(({ name }) => name),
    })),
  };
}

function codesOf(result: PromiseSettledResult<Removal>): string[] {
  if (result.status === 'rejected') return [codeOf(result.reason)];
  return result.value.reasons.map(({ code }) => code);
}
