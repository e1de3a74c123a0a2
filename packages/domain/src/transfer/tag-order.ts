/** Order of tags by name, without a library for patterns, so that the page can import it. */
import parse from 'semver/functions/parse.js';
import rcompare from 'semver/functions/rcompare.js';

/**
 * Newest first: versions by precedence, then other tags in natural order (`2024-10-02` before
 * `2024-9-30`, `1.27` before `1.9`). Creation times would cost two requests per tag.
 */
export function compareTags(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)];
  if (a && b) return rcompare(a, b) || natural(one, other);
  if (a || b) return a ? -1 : 1;
  return natural(one, other);
}

/**
 * Compares runs of digits by value (of any length) and the rest by code unit, independent of
 * locale.
 */
function natural(one: string, other: string): number {
  const [left, right] = [one, other].map((tag) => tag.match(/\d+|\D+/g) ?? []);
  for (let at = 0; left && right && at < Math.max(left.length, right.length); at += 1) {
    const order = compareRuns(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return -order;
  }
  return one < other ? 1 : one > other ? -1 : 0;
}

function compareRuns(one: string, other: string): number {
  const [a, b] = [one, other].map((run) => (/^\d/.test(run) ? run.replace(/^0+(?=\d)/, '') : run));
  if (a === undefined || b === undefined || a === b) return 0;
  const numbers = /^\d/.test(a) && /^\d/.test(b);
  if (numbers && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** Order for a list of suggestions: `latest`, then newest first. */
export function compareChoices(one: string, other: string): number {
  return Number(other === 'latest') - Number(one === 'latest') || compareTags(one, other);
}
