/** The immutable tags among those that were to be deleted, for the notice of what remains. */
import type { AnswerFor } from '../../../api/client.ts';
import type { BulkResult } from '../../../kit/action/bulk-result.ts';

type Removal = Pick<AnswerFor<'images.removeImageTags'>, 'reasons'>;
type Sentence = (count: number, names: string) => string;

const CODE = 'TAG_IMMUTABLE';
/** Of one notice. */
const MOST_NAMES = 20;

/** @returns the result with a sentence that names the immutable tags */
export function namingKept(
  result: BulkResult,
  removals: readonly PromiseSettledResult<Removal>[],
  sentence: Sentence,
): BulkResult {
  const names = removals.flatMap(namesOf);
  const reasons = result.reasons.map((reason) =>
    reason.code === CODE
      ? { ...reason, text: sentence(reason.count, listed(names, reason.count)) }
      : reason,
  );
  return { ...result, reasons };
}

function namesOf(removal: PromiseSettledResult<Removal>): string[] {
  if (removal.status === 'rejected') return [];
  return removal.value.reasons.find(({ code }) => code === CODE)?.tags ?? [];
}

/** The server names some of many. */
function listed(names: readonly string[], count: number): string {
  const shown = names.slice(0, MOST_NAMES);
  return [...shown, ...(count > shown.length ? ['…'] : [])].join(', ');
}
