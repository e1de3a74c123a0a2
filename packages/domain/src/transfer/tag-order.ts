/** Order of tags by name, without a library for patterns, so that the page can import it. */
import { type Steps, sortedSteps } from '@portcullis/oci';
import parse from 'semver/functions/parse.js';
import rcompare from 'semver/functions/rcompare.js';

/**
 * Newest first: versions by precedence, then other tags in natural order (`2024-10-02` before
 * `2024-9-30`, `1.27` before `1.9`). Creation times would cost two requests per tag.
 */
export function compareTags(one: string, other: string): number {
  return compareParsed(parseTag(one), parseTag(other));
}

/** Sorts as `compareTags` does, and parses each tag once. */
export function newestFirst(tags: Iterable<string>): string[] {
  return [...tags]
    .map(parseTag)
    .sort(compareParsed)
    .map(({ tag }) => tag);
}

const TAGS_PER_STEP = 256;

/** The same for the tags of a registry, of which there may be very many: each of them once. */
export function* newestFirstInSteps(tags: readonly string[]): Steps<string[]> {
  const seen = new Set<string>();
  const all: ParsedTag[] = [];
  for (const [at, tag] of tags.entries()) {
    if (!seen.has(tag)) all.push(parseTag(tag));
    seen.add(tag);
    if (at % TAGS_PER_STEP === TAGS_PER_STEP - 1) yield;
  }
  return (yield* sortedSteps(all, compareParsed)).map(({ tag }) => tag);
}

interface ParsedTag {
  tag: string;
  version: ReturnType<typeof parse>;
  /** Runs of digits, without leading zeros, and of other characters. */
  runs: string[];
}

function parseTag(tag: string): ParsedTag {
  const runs = tag.match(/\d+|\D+/g) ?? [];
  return { tag, version: parse(tag), runs: runs.map((run) => run.replace(/^0+(?=\d)/, '')) };
}

function compareParsed(one: ParsedTag, other: ParsedTag): number {
  const [a, b] = [one.version, other.version];
  if (a && b) return rcompare(a, b) || natural(one, other);
  if (a || b) return a ? -1 : 1;
  return natural(one, other);
}

/**
 * Compares runs of digits by value (of any length) and the rest by code unit, independent of
 * locale.
 */
function natural(one: ParsedTag, other: ParsedTag): number {
  for (let at = 0; at < Math.max(one.runs.length, other.runs.length); at += 1) {
    const order = compareRuns(one.runs[at] ?? '', other.runs[at] ?? '');
    if (order !== 0) return -order;
  }
  return one.tag < other.tag ? 1 : one.tag > other.tag ? -1 : 0;
}

function compareRuns(a: string, b: string): number {
  if (a === b) return 0;
  const numbers = /^\d/.test(a) && /^\d/.test(b);
  if (numbers && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** Order for a list of suggestions: `latest`, then newest first. */
export function compareChoices(one: string, other: string): number {
  return Number(other === 'latest') - Number(one === 'latest') || compareTags(one, other);
}
