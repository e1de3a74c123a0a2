/**
 * Selects the tags of a repository that match a pattern. Patterns and tags are untrusted input:
 * matching uses RE2, whose time is linear in the text, the size of what a pattern compiles to is
 * bounded, many tags are matched in slices, and at most the requested number of tags is kept.
 */
import { tooLarge } from '@portcullis/errors';
import { inSlices, type Steps } from '@portcullis/oci';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import semver from 'semver';
import { expressionSize } from './expression-size.ts';
import { newestFirstInSteps } from './tag-order.ts';

/**
 * `glob`: matches the whole tag, with `*`, `?`, `[a-z]`, `[!a-z]` and `{a,b}`. `regex`: RE2,
 * unanchored. `semver`: full versions (`1.2.3`, `v1.2.3`) in an npm range; `1.2` is a moving tag
 * and not a version; pre-releases only on request.
 */
export type TagMatch =
  | { glob: string }
  | { regex: string }
  | { semver: string; prerelease?: boolean };

export interface TagSelection {
  match: TagMatch;
  /** Keeps only the newest n, see `tag-order.ts`. Null: all. */
  newest: number | null;
}

/** What is wrong with a pattern; `at` is the part that does not parse. */
export interface PatternFault {
  code: 'PATTERN_INVALID' | 'PATTERN_TOO_COSTLY';
  params: { grammar: 'glob' | 'regex' | 'semver'; at: string };
  message: string;
}

/**
 * Instructions of a program. What people write for tags has some dozen; a program of the full size
 * matches the longest tag in a few milliseconds.
 */
const MOST_INSTRUCTIONS = 1_000;

/** Instructions of the program, estimated from the text; not less than it has. */
export function patternSize(match: TagMatch): number {
  if ('regex' in match) return expressionSize(match.regex);
  return 'glob' in match ? 4 + 3 * match.glob.length : match.semver.length;
}

/** Null for a valid pattern. */
export function matchFault(match: TagMatch): PatternFault | null {
  if ('regex' in match && patternSize(match) > MOST_INSTRUCTIONS)
    return {
      code: 'PATTERN_TOO_COSTLY',
      params: { grammar: 'regex', at: match.regex },
      message: `the repeats of the pattern make more than ${MOST_INSTRUCTIONS} steps for a character`,
    };
  try {
    compiled(match);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = 'PATTERN_INVALID';
    if ('semver' in match)
      return { code, params: { grammar: 'semver', at: match.semver }, message };
    if ('glob' in match) return { code, params: { grammar: 'glob', at: match.glob }, message };
    const at = error instanceof RE2JSSyntaxException ? error.getPattern() : null;
    return { code, params: { grammar: 'regex', at: at ?? match.regex }, message };
  }
}

/**
 * @param longest a longer text does not match
 * @throws Error for a pattern that `matchFault` refuses
 */
export function matcher(match: TagMatch, longest = LONGEST_TAG): (text: string) => boolean {
  return compiled(match, longest).matches;
}

export interface TagMatcher {
  matches(tag: string): boolean;
  /** How many steps the program takes for the tag at most. */
  stepsFor(tag: string): number;
}

/** @throws Error for a pattern that `matchFault` refuses */
export function compiled(match: TagMatch, longest = LONGEST_TAG): TagMatcher {
  if ('semver' in match) return inRange(match.semver, match.prerelease ?? false);
  if ('regex' in match && patternSize(match) > MOST_INSTRUCTIONS)
    throw tooLarge('PATTERN_TOO_COSTLY', 'the pattern takes too many steps');
  const pattern = RE2JS.compile('glob' in match ? globSource(match.glob) : match.regex);
  const instructions = pattern.programSize();
  return {
    matches: (tag) => tag.length <= longest && pattern.matcher(tag).find(),
    stepsFor: (tag) => instructions * (Math.min(tag.length, longest) + 1),
  };
}

/** A registry may list names that are no tags; a longer one is not looked at. */
const LONGEST_TAG = 128;
/** To parse a version takes about as long as so many steps of a program. */
const STEPS_OF_VERSION = 500;
const STEPS_OF_COMPARATOR = 50;

function inRange(text: string, includePrerelease: boolean): TagMatcher {
  const valid = semver.validRange(text);
  if (valid === null) throw new Error(`"${text}" is not a range of versions`);
  const range = new semver.Range(valid, { includePrerelease });
  const comparators = range.set.flat().length;
  return {
    matches(tag) {
      const version = tag.length <= LONGEST_TAG ? semver.parse(tag) : null;
      if (!version || (version.prerelease.length > 0 && !includePrerelease)) return false;
      return range.test(version);
    },
    stepsFor: () => STEPS_OF_VERSION + STEPS_OF_COMPARATOR * comparators,
  };
}

export interface Matching {
  /** How many steps may still be taken; what is taken is subtracted. */
  budget: { steps: number };
  /** Called between slices of the tags, so that the process serves others. It may throw. */
  pause(): Promise<unknown>;
}

/** Of all tags of a selection: seconds of work of the most costly pattern, in slices. */
export const MOST_STEPS = 150_000_000;
/** Some ten milliseconds of work. */
const STEPS_AT_ONCE = 150_000;

/**
 * The tags that match, in their order.
 * @throws too_large `PATTERN_TOO_COSTLY`: the budget does not last for these tags
 */
export async function matchingTags(
  { matches, stepsFor }: TagMatcher,
  tags: readonly string[],
  { budget, pause }: Matching,
): Promise<string[]> {
  const found: string[] = [];
  let taken = 0;
  for (const tag of tags) {
    const steps = stepsFor(tag);
    budget.steps -= steps;
    if (budget.steps < 0)
      throw tooLarge('PATTERN_TOO_COSTLY', 'the pattern takes too many steps for so many tags');
    taken += steps;
    if (taken > STEPS_AT_ONCE) {
      await pause();
      taken = steps;
    }
    if (matches(tag)) found.push(tag);
  }
  return found;
}

const WILDCARD: Record<string, string> = { '*': '.*', '?': '.', '{': '(?:', '}': ')', ',': '|' };

/** The grammar has no nesting and no escapes: no character of a tag needs one. */
function globSource(glob: string): string {
  const pieces = glob.match(/\[!?[^\]]+\]|[\s\S]/g) ?? [];
  let open = false;
  const source = pieces.map((piece) => {
    if (piece.length > 1)
      return `[${piece.slice(1, -1).replace(/^!/, '^').replaceAll('[', '\\[')}]`;
    if (piece === ',' && !open) return ',';
    if (piece === '{' || piece === '}') {
      if (open === (piece === '{')) throw new Error(`braces of "${glob}" don't pair`);
      open = piece === '{';
    }
    return WILDCARD[piece] ?? RE2JS.quote(piece);
  });
  if (open) throw new Error(`braces of "${glob}" don't pair`);
  return `^(?:${source.join('')})$`;
}

/** Merges a page of tags and keeps the newest `count`. */
export function newestOf(
  kept: readonly string[],
  more: readonly string[],
  count: number,
): Promise<string[]> {
  return inSlices(newest([...kept, ...more], count));
}

function* newest(tags: readonly string[], count: number): Steps<string[]> {
  return (yield* newestFirstInSteps(tags)).slice(0, count);
}
