/**
 * Selects the tags of a repository that match a pattern. Patterns and tags are untrusted input, so
 * matching uses RE2 (linear time), and at most the requested number of tags is kept.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import semver from 'semver';
import { compareTags } from './tag-order.ts';

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
  params: { grammar: 'glob' | 'regex' | 'semver'; at: string };
  message: string;
}

/** Null for a valid pattern. */
export function matchFault(match: TagMatch): PatternFault | null {
  try {
    matcher(match);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if ('semver' in match) return { params: { grammar: 'semver', at: match.semver }, message };
    if ('glob' in match) return { params: { grammar: 'glob', at: match.glob }, message };
    const at = error instanceof RE2JSSyntaxException ? error.getPattern() : null;
    return { params: { grammar: 'regex', at: at ?? match.regex }, message };
  }
}

/** @throws Error for an invalid pattern */
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
): string[] {
  return [...new Set([...kept, ...more])].sort(compareTags).slice(0, count);
}
