/**
 * Parses a message of the page, in a part of ICU MessageFormat: `{name}`, `{n, number}`, `plural`,
 * `select` and quotes.
 */

/** `#` is parsed as the number of the plural around it. */
export type Part = string | Argument | Choice;

interface Argument {
  readonly is: 'text' | 'number';
  readonly name: string;
}

export interface Choice {
  readonly is: 'plural' | 'select';
  readonly name: string;
  readonly options: ReadonlyMap<string, readonly Part[]>;
}

const ARGUMENT = /\{\s*([a-z]\w*)\s*(?:,\s*(\w+)\s*)?([,}])/iy;
const OPTION = /\s*(=\d+|[a-z]\w*)\s*\{/iy;
const END = /\s*\}/y;

/** Throws with the reason, for the translator. */
export function parse(source: string): readonly Part[] {
  let at = 0;
  const parts = parseParts();
  if (at < source.length) fail('a } without its {');
  return parts;

  function fail(reason: string): never {
    throw new Error(`${reason}, at “${source.slice(at, at + 20)}”`);
  }

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  }

  /** Up to the end of the text or a `}`. */
  function parseParts(counted?: string): Part[] {
    const parts: Part[] = [];
    const add = (part: Part) => {
      const last = parts.at(-1);
      if (typeof part === 'string' && typeof last === 'string') parts.splice(-1, 1, last + part);
      else parts.push(part);
    };
    for (let next = source[at]; next !== undefined && next !== '}'; next = source[at]) {
      if (next === '<') fail("markup; a < is written as '<'");
      else if (next === '{') add(parseArgument());
      else if (next === "'") add(parseQuote(counted !== undefined));
      else {
        add(next === '#' && counted !== undefined ? { is: 'number', name: counted } : next);
        at++;
      }
    }
    return parts;
  }

  /** An apostrophe begins a quote only before a character that has a meaning. */
  function parseQuote(inPlural: boolean): string {
    const next = source[at + 1] ?? '';
    if (next === "'") at++;
    if (next === '' || !`{}<${inPlural ? '#' : ''}`.includes(next)) {
      at++;
      return "'";
    }
    const [all, text = ''] =
      /'((?:[^']|'')*)'/.exec(source.slice(at)) ?? fail('a quote has no end');
    at += all.length;
    return text.replaceAll("''", "'");
  }

  function parseArgument(): Part {
    const [, name = '', is, end] = take(ARGUMENT) ?? fail('no parameter such as {name}');
    if (end === '}') {
      if (is === undefined) return { is: 'text', name };
      return is === 'number' ? { is, name } : fail(`{${name}, ${is}} is not supported`);
    }
    if (is !== 'plural' && is !== 'select') fail(`{${name}, ${is}, …} is not supported`);
    return { is, name, options: parseOptions(is === 'plural' ? name : undefined) };
  }

  function parseOptions(counted?: string): ReadonlyMap<string, readonly Part[]> {
    const options = new Map<string, readonly Part[]>();
    while (!take(END)) {
      const [, option = ''] = take(OPTION) ?? fail('no option such as other {…}');
      if (options.has(option)) fail(`${option} is there twice`);
      options.set(option, parseParts(counted));
      if (source[at] !== '}') fail(`${option} has no end`);
      at++;
    }
    return options.has('other') ? options : fail('the option other {…} is missing');
  }
}
