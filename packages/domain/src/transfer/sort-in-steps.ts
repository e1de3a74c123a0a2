/** Sorts long lists in steps, between which the event loop may serve others: a merge sort. */
import type { Steps } from '@portcullis/oci';

const ITEMS_PER_STEP = 256;

/** Equal items keep their order. */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_STEP) {
    runs.push(items.slice(at, at + ITEMS_PER_STEP).sort(compare));
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
  let [at, otherAt] = [0, 0];
  for (;;) {
    const [left, right] = [one[at], other[otherAt]];
    if (left === undefined || right === undefined) break;
    const isFirst = compare(left, right) <= 0;
    merged.push(isFirst ? left : right);
    if (isFirst) at += 1;
    else otherAt += 1;
    if (merged.length % ITEMS_PER_STEP === 0) yield;
  }
  for (const rest of one.slice(at)) merged.push(rest);
  for (const rest of other.slice(otherAt)) merged.push(rest);
  return merged;
}
