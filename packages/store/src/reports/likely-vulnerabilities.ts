/**
 * The vulnerabilities that can be on a page. To count all of them reads every finding; those with
 * the highest scores, or of the worst severity, are enough where they fill the page.
 */
import type { VulnerabilityOrder } from '@portcullis/domain';
import type { VulnerabilityFilter } from './records.ts';
import { type RankedVulnerability, scoreBefore } from './vulnerability-order.ts';

/** For each row of the page: images of the caller have a part of what the feeds name. */
const FOR_EACH = 20;
const SCORED: ReadonlySet<VulnerabilityOrder> = new Set(['-risk', '-epss']);

export interface Counting extends VulnerabilityFilter {
  sort: VulnerabilityOrder;
  /** Only those that some image has with the worst severity. */
  isWorst?: boolean;
}

interface Likely {
  /** Instead of all. */
  counting: Counting;
  /** Whether no other vulnerability has a place before this one. */
  isBeforeOthers(row: RankedVulnerability): boolean;
}

/** Null where another order or a search needs all. */
export function likely(asked: Counting, size: number): Likely | null {
  if (asked.id !== undefined) return null;
  const isScored = SCORED.has(asked.sort);
  if (isScored && asked.scores !== undefined) return withHighest(asked, asked.scores, size);
  const isBySeverity = isScored || asked.sort === '-severity';
  const { ids, text, since, severity, cursor } = asked;
  const isAll = [ids, text, since, severity, cursor].every((each) => each === undefined);
  if (!isBySeverity || !isAll) return null;
  return { counting: { ...asked, isWorst: true }, isBeforeOthers: ({ rank }) => rank === 1 };
}

/** With all of an equal score. */
function withHighest(
  asked: Counting,
  scores: ReadonlyMap<string, number>,
  size: number,
): Likely | null {
  const highest = scoreBefore(asked.sort, asked.cursor);
  const named = asked.ids && new Set(asked.ids);
  const descending = [...scores]
    .filter(([id, score]) => score <= highest && (named?.has(id) ?? true))
    .sort(([, one], [, other]) => other - one);
  const last = descending[size * FOR_EACH - 1];
  if (last === undefined) return null;
  const found = new Map(descending.filter(([, score]) => score >= last[1]));
  return {
    counting: { ...asked, ids: [...found.keys()], scores: found },
    isBeforeOthers: () => true,
  };
}
