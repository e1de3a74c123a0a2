/**
 * Patterns of identities: `*` is any text without a slash, `**` any text, and the pattern is always
 * the whole text. There are no regular expressions: an unanchored one accepts a prefix, and one of
 * nested repetitions takes minutes of CPU time.
 */

type Token = string | typeof WITHIN | typeof ANY;
const WITHIN = Symbol('any text without a slash');
const ANY = Symbol('any text');

/** Each step is a set of positions, so the cost is the product of both lengths at most. */
export function matchesPattern(pattern: string, text: string): boolean {
  let positions = new Set([0]);
  for (const token of tokensOf(pattern)) {
    positions = advance(positions, token, text);
    if (positions.size === 0) return false;
  }
  return positions.has(text.length);
}

function tokensOf(pattern: string): Token[] {
  return (pattern.match(/\*\*+|\*|[^*]+/g) ?? []).map((part) => {
    if (!part.startsWith('*')) return part;
    return part === '*' ? WITHIN : ANY;
  });
}

function advance(from: ReadonlySet<number>, token: Token, text: string): Set<number> {
  if (typeof token === 'string') {
    const fitting = [...from].filter((at) => text.startsWith(token, at));
    return new Set(fitting.map((at) => at + token.length));
  }
  const reached = new Set<number>();
  for (const start of from) {
    for (let at = start; at <= text.length && !reached.has(at); at += 1) {
      reached.add(at);
      if (token === WITHIN && text[at] === '/') break;
    }
  }
  return reached;
}

/** The part of a pattern that has to be without stars, by the form of the identity. */
const OWNER: readonly [form: RegExp, owner: RegExp][] = [
  // The first segment of the path: at shared providers it is a user or an organisation.
  [/^https?:/, /^https?:\/\/[^/*]+\/[^/*]+\//],
  [/^[a-z][a-z0-9+.-]*:/, /^[^:*]+:\/\/[^/*]+\//],
  [/@/, /@[^@*]+$/],
];

/** True for a pattern that would accept strangers who share the provider, or any identity. */
export function acceptsAnybody(pattern: string): boolean {
  if (!pattern.includes('*')) return false;
  const form = OWNER.find(([start]) => start.test(pattern));
  return form === undefined || !form[1].test(pattern);
}
