/**
 * Parses the entries of streams. Several consumer groups of a process read the same entries within
 * a moment, and parsing is much of what an event costs.
 */

/** Twice as many are in memory at most. */
const MOST_YOUNG = 2_000;

let young = new Map<string, unknown>();
let old = new Map<string, unknown>();

/** The value is shared with other callers, which must not change it. */
export function parseOnce<T>(text: string): T {
  const known = young.get(text) ?? old.get(text);
  if (known !== undefined) return known as T;
  const value: T = JSON.parse(text);
  if (young.size >= MOST_YOUNG) {
    old = young;
    young = new Map();
  }
  young.set(text, value);
  return value;
}
