/** Patterns of paths: `*` matches within a segment, `**` across segments. */
import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS>();
const MOST_COMPILED = 1_000;

/** Matching is linear in the length of the path, whatever the pattern. */
export function matchesPath(pattern: string, path: string): boolean {
  let matcher = compiled.get(pattern);
  if (!matcher) {
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    matcher = RE2JS.compile(sourceOf(pattern));
    compiled.set(pattern, matcher);
  }
  return matcher.matches(path);
}

function sourceOf(pattern: string): string {
  const pieces = pattern.match(/\*\*|\*|[^*]+/g) ?? [];
  const source = pieces.map((piece) =>
    piece === '**' ? '.*' : piece === '*' ? '[^/]*' : RE2JS.quote(piece),
  );
  return source.join('');
}
