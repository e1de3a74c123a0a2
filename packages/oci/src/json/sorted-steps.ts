/** Sorts in steps for `inSlices`: runs are sorted, and then merged two by two. */
import type { Steps } from './slices.ts';

/** Few enough for a step, also where a comparison looks at several texts. */
const AT_ONCE = 200;

/** As `toSorted`, equal items in their order. */
export function* sortedSteps<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    runs.push(items.slice(at, at + AT_ONCE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [a, b] = [one[left], other[right]];
    if (a === undefined || b === undefined) break;
    if (compare(a, b) <= 0) {
      merged.push(a);
      left += 1;
    } else {
      merged.push(b);
      right += 1;
    }
    if (merged.length % AT_ONCE === 0) yield;
  }
  return merged.concat(one.slice(left), other.slice(right));
}
