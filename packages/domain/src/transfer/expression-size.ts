/**
 * Bounds the size of an expression's program from its text. RE2 matches in time that is linear in
 * the text, but its program grows with the repeats of the pattern, which takes time to compile, and
 * each character of a tag may visit each of its instructions. The size is therefore bounded before
 * it is compiled.
 */

/**
 * Not less than the number of instructions that the expression compiles to. A character that no tag
 * has, or a class of Unicode, counts as many: folding its case visits all characters of a range.
 * What does not parse has any size.
 */
export function expressionSize(source: string): number {
  // Two frame the program, and two find a match that does not begin with the text.
  return 4 + alternatives({ source, at: 0, depth: 0 });
}

interface Cursor {
  source: string;
  at: number;
  depth: number;
}

/** RE2's parser refuses deeper ones. */
const MOST_DEPTH = 1_000;
const OF_UNICODE_CLASS = 25;
const OF_OTHER_CHARACTER = 250;
const LAST_ASCII = 0x7f;

/** Reads up to the closing parenthesis of the group, or the end. */
function alternatives(cursor: Cursor): number {
  let before = 0;
  let last = 0;
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ')') {
    // A repeat after flags or an empty quotation is one of what precedes them.
    const isTransparent = /^(?:\(\?[a-zA-Z-]*\)|\\[QE])/.test(cursor.source.slice(cursor.at));
    if (!isTransparent) {
      before += last;
      last = 0;
    }
    last = repeated(cursor, last + atom(cursor));
  }
  return before + last;
}

function atom(cursor: Cursor): number {
  switch (cursor.source[cursor.at]) {
    case '(':
      return group(cursor);
    case '[':
      return characterClass(cursor);
    case '\\':
      return readEscape(cursor);
    default:
      return character(cursor);
  }
}

function character(cursor: Cursor): number {
  const code = cursor.source.codePointAt(cursor.at) ?? 0;
  cursor.at += code > 0xffff ? 2 : 1;
  return code > LAST_ASCII ? OF_OTHER_CHARACTER : 1;
}

/** A capture has two instructions more than its content. */
function group(cursor: Cursor): number {
  cursor.at += 1;
  if (cursor.depth >= MOST_DEPTH) return Number.POSITIVE_INFINITY;
  cursor.depth += 1;
  const flags = /^\?[^)(]*?[:>)]/.exec(cursor.source.slice(cursor.at, cursor.at + 300));
  // `(?i)` has no content; its closing parenthesis is read below.
  if (flags) cursor.at += flags[0].endsWith(')') ? flags[0].length - 1 : flags[0].length;
  const size = alternatives(cursor);
  cursor.at += 1;
  cursor.depth -= 1;
  return size + 3;
}

/** One instruction, whatever is in it; a bracket that comes first is a character of the class. */
function characterClass(cursor: Cursor): number {
  const { source } = cursor;
  let size = 1;
  cursor.at += source[cursor.at + 1] === '^' ? 2 : 1;
  const first = cursor.at;
  while (cursor.at < source.length && (source[cursor.at] !== ']' || cursor.at === first)) {
    const posix = /^\[:\^?\w+:\]/.exec(source.slice(cursor.at, cursor.at + 20));
    if (posix) cursor.at += posix[0].length;
    else size += (source[cursor.at] === '\\' ? readEscape(cursor) : character(cursor)) - 1;
  }
  cursor.at += 1;
  return size;
}

const ESCAPE = /^\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|[\s\S])/u;

function readEscape(cursor: Cursor): number {
  if (cursor.source.startsWith('\\Q', cursor.at)) return quote(cursor);
  const text = ESCAPE.exec(cursor.source.slice(cursor.at))?.[0] ?? '\\';
  cursor.at += text.length;
  if (/^\\[pP]/.test(text)) return OF_UNICODE_CLASS;
  return codeOf(text) > LAST_ASCII ? OF_OTHER_CHARACTER : 1;
}

function codeOf(text: string): number {
  const hex = /^\\x\{?([0-9a-f]+)/i.exec(text)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  const octal = /^\\([0-7]+)$/.exec(text)?.[1];
  return octal === undefined ? (text.codePointAt(1) ?? 0) : Number.parseInt(octal, 8);
}

/** `\Q` quotes all up to `\E`; a repeat after it repeats one character, and counts for all. */
function quote(cursor: Cursor): number {
  const end = cursor.source.indexOf('\\E', cursor.at);
  const text = cursor.source.slice(cursor.at + 2, end < 0 ? undefined : end);
  cursor.at = end < 0 ? cursor.source.length : end + 2;
  const read = { source: text, at: 0, depth: 0 };
  let size = 1;
  while (read.at < text.length) size += character(read);
  return size;
}

const REPEAT = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/;

/** Each of the possible rounds is a copy of what is repeated, with a branch. */
function repeated(cursor: Cursor, size: number): number {
  let total = size;
  for (;;) {
    const found = REPEAT.exec(cursor.source.slice(cursor.at, cursor.at + 300));
    if (!found) return total;
    cursor.at += found[0].length;
    const rounds =
      found[1] === undefined ? 1 : Math.max(1, Number(found[1]), Number(found[2] || 0));
    total = (total + 1) * rounds + 1;
  }
}
