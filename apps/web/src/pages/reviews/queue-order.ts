/** Which request is shown, what of it is selected, and which one follows. */
import { type AskedFor, askedIds } from '@portcullis/domain';

/** The number in an address; null for what is none. */
export function requestNumber(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** The neighbour of a request in the queue; null at its end. @param step 1: the next one */
export function neighbourOf(
  numbers: readonly number[],
  current: number | null,
  step: 1 | -1,
): number | null {
  const at = current === null ? -1 : numbers.indexOf(current);
  return numbers[at + step] ?? null;
}

/** Where a decision leads: to the next request, or back where it was the last of the queue. */
export function afterDecision(numbers: readonly number[], decided: number): number | null {
  return neighbourOf(numbers, decided, 1) ?? numbers.findLast((each) => each !== decided) ?? null;
}

interface Asked extends AskedFor {
  findings: readonly { vulnerability: string; kev: boolean | null }[];
}

/**
 * What is selected at first: all but what is known to be exploited, which an account accepts on
 * purpose only.
 */
export function firstSelection(asked: Asked): ReadonlySet<string> {
  const exploited = new Set(
    asked.findings.flatMap(({ vulnerability, kev }) => (kev ? [vulnerability] : [])),
  );
  return new Set(askedIds(asked).filter((id) => !exploited.has(id)));
}
