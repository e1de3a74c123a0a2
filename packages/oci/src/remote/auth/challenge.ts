/** Parser for `WWW-Authenticate` (RFC 9110 § 11.6.1): a list of challenges with parameters. */

export interface Challenge {
  /** Lower case: `bearer`, `basic`. */
  scheme: string;
  /** Names in lower case; the first value counts if a name occurs twice. */
  params: Readonly<Record<string, string>>;
}

const MAX_HEADER = 8192;
const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*(?=\s*(?:,|$))/y;
const SEPARATOR = /[\s,]*/y;
const EQUALS = /\s*=\s*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/sy;

/** Parses the header up to its first syntax error. Never throws. */
export function parseChallenges(header: string | undefined): Challenge[] {
  const text = (header ?? '').slice(0, MAX_HEADER);
  const challenges: { scheme: string; params: Record<string, string> }[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    take(SEPARATOR);
    const word = take(TOKEN)?.[0].toLowerCase();
    if (word === undefined) break;
    const current = challenges.at(-1);
    // A word before "=" is a parameter of the challenge it follows; any other word starts a
    // challenge.
    if (current && take(EQUALS)) {
      const value = unescaped(take(QUOTED)?.[1]) ?? take(TOKEN)?.[0];
      if (value === undefined) break;
      if (!Object.hasOwn(current.params, word)) current.params[word] = value;
    } else {
      challenges.push({ scheme: word, params: Object.create(null) });
      take(/[ \t]+/y);
      if (!startsParameter(text, at)) take(TOKEN68);
    }
  }
  return challenges;
}

function startsParameter(text: string, at: number): boolean {
  const parameter = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[ \t]*(?:"|[^\s=,])/y;
  parameter.lastIndex = at;
  return parameter.test(text);
}

function unescaped(quoted: string | undefined): string | undefined {
  return quoted?.replace(/\\(.)/gs, '$1');
}
