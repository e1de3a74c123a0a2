/**
 * Which tags of a repository a pattern means. Strangers write the patterns and strangers write the tags, so every
 * match runs on RE2, in time linear in the tag, and nothing here holds more tags than were asked for.
 */
import { RE2JS } from 're2js';
import semver from 'semver';

/**
 * `glob`: the whole tag, with `*`, `?`, `[a-z]`, `[!a-z]` and `{a,b}`. `regex`: RE2, found anywhere in the tag unless
 * anchored. `semver`: full versions (`1.2.3`, `v1.2.3`) in a range of npm's grammar; `1.2` is a tag that moves, not a
 * version; pre-releases only where they are asked for.
 */
export type TagMatch = { glob: string } | { regex: string } | { semver: string; prerelease?: boolean };

export interface TagSelection {
  match: TagMatch;
  /** Only so many, the newest: by version, see `compareTags`. Null: all. */
  newest: number | null;
}

/** In words for people; null where the pattern can be used. */
export function matchFault(match: TagMatch): string | null {
  try {
    matcher(match);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws Error on a pattern that is none */
export function matcher(match: TagMatch): (tag: string) => boolean {
  if ('semver' in match) return inRange(match.semver, match.prerelease ?? false);
  const pattern = RE2JS.compile('glob' in match ? globSource(match.glob) : match.regex);
  return (tag) => pattern.matcher(tag).find();
}

function inRange(text: string, includePrerelease: boolean): (tag: string) => boolean {
  const range = semver.validRange(text);
  if (range === null) throw new Error(`"${text}" is not a range of versions`);
  return (tag) => {
    const version = semver.parse(tag);
    if (!version || (version.prerelease.length > 0 && !includePrerelease)) return false;
    return semver.satisfies(version, range, { includePrerelease });
  };
}

const WILDCARD: Record<string, string> = { '*': '.*', '?': '.', '{': '(?:', '}': ')', ',': '|' };

/** The grammar has no nesting and no escapes: a tag has no character that would need one. */
function globSource(glob: string): string {
  const pieces = glob.match(/\[!?[^\]]+\]|[\s\S]/g) ?? [];
  let open = false;
  const source = pieces.map((piece) => {
    if (piece.length > 1) return `[${piece.slice(1, -1).replace(/^!/, '^').replaceAll('[', '\\[')}]`;
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

/**
 * Newest first: versions by precedence, then what isn't one in natural order (`2024-10-02` before `2024-9-30`,
 * `1.27` before `1.9`). A tag's time isn't asked for: it would cost two requests for each tag.
 */
export function compareTags(one: string, other: string): number {
  const [a, b] = [semver.parse(one), semver.parse(other)];
  if (a && b) return semver.rcompare(a, b) || natural(one, other);
  if (a || b) return a ? -1 : 1;
  return natural(one, other);
}

/** Runs of digits by their value, without number's limit; all else by code unit, so that the order is the same everywhere. */
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

/** Takes tags as they come, page by page, and keeps the newest `count`. */
export function newestOf(kept: readonly string[], more: readonly string[], count: number): string[] {
  return [...new Set([...kept, ...more])].sort(compareTags).slice(0, count);
}
