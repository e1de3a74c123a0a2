/** Compares the names of members as readers written in Go do. */

const LONG_S = '\u017F';

/**
 * Folds a member name as Go's `encoding/json` does when it compares it with an ASCII field name.
 */
export function foldedName(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes(LONG_S) ? lower.replaceAll(LONG_S, 's') : lower;
}

/**
 * Finds a member whose name differs from a known one only in case, such as `Layers`: Go readers
 * treat it as `layers` and this parser does not.
 */
export function misspelled(json: object, names: ReadonlySet<string>): string | undefined {
  const folded = foldedNames(names);
  return Object.keys(json).find((name) => !names.has(name) && folded.has(foldedName(name)));
}

const FOLDED = new WeakMap<ReadonlySet<string>, Set<string>>();

function foldedNames(names: ReadonlySet<string>): Set<string> {
  const known = FOLDED.get(names);
  if (known) return known;
  const folded = new Set([...names].map(foldedName));
  FOLDED.set(names, folded);
  return folded;
}
